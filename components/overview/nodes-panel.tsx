"use client";

import Link from "next/link";
import { formatRoundTrip, type Received } from "@/lib/client";
import type { Cluster } from "@/lib/contract";
import { nodeLook } from "../nodes/node-looks";
import { Badge } from "../ui/badge";
import { Panel } from "../ui/panel";
import { Cell, ColumnHead, Table } from "../ui/table";

/** The nodes at a glance. */
export function NodesPanel({ cluster }: { readonly cluster: Received<Cluster> }) {
  return (
    <Panel
      title="Nodes"
      aside={
        <Link
          href="/nodes"
          className="inline-flex min-h-6 items-center font-semibold text-[13px] text-accent underline-offset-4 hover:underline"
        >
          All facts
        </Link>
      }
    >
      <Table caption="Nodes at a glance">
        <thead>
          <tr>
            <ColumnHead>Node</ColumnHead>
            <ColumnHead>State</ColumnHead>
            <ColumnHead className="max-sm:hidden">Address</ColumnHead>
            <ColumnHead>Round trip</ColumnHead>
            <ColumnHead>Keys</ColumnHead>
          </tr>
        </thead>
        <tbody>
          {cluster.value.nodes.map((node) => {
            const { word, tone } = nodeLook(node);
            return (
              <tr key={node.id} className="border-line border-b last:border-b-0">
                <th scope="row" className="px-2.5 py-2 text-left font-semibold">
                  {node.id}
                </th>
                <Cell>
                  <Badge tone={tone}>{word}</Badge>
                </Cell>
                <td className="w-full max-w-0 truncate px-2.5 py-2 max-sm:hidden">
                  <code>{node.address}</code>
                </td>
                <Cell>{formatRoundTrip(node.roundTripMs)}</Cell>
                <Cell>{node.keys === null ? "–" : node.keys.toLocaleString("en-US")}</Cell>
              </tr>
            );
          })}
        </tbody>
      </Table>
    </Panel>
  );
}
