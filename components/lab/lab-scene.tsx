import { useMemo } from "react";
import type { LabRun } from "@/lib/contract";
import { tokenHues } from "../locks/token-hue";
import { sceneOf, type Wire } from "./scene";
import { ClientCard, NodeCard } from "./scene-cards";

/** Nodes to the left, clients with belief above truth to the right, requests and replies between them. */
export function LabScene({ run, atMs }: { readonly run: LabRun; readonly atMs: number }) {
  const { nodes, clients, more, wires } = useMemo(() => sceneOf(run, atMs), [run, atMs]);
  const hues = useMemo(
    () => tokenHues(run.events.flatMap((event) => (event.kind === "granted" ? [event.holder] : []))),
    [run.events],
  );
  if (nodes.length === 0) return null;
  return (
    <div className="grid gap-3 md:grid-cols-[minmax(150px,1fr)_minmax(80px,1fr)_minmax(280px,2fr)] md:gap-0">
      <ul aria-label="Nodes" className="grid auto-rows-fr grid-cols-2 gap-2 md:grid-cols-1 md:gap-0">
        {nodes.map((node) => (
          <NodeCard key={node.name} node={node} hues={hues} />
        ))}
      </ul>
      <Wires wires={wires} nodes={nodes.length} clients={clients.length} />
      <div className="grid content-stretch gap-2">
        <ul aria-label="Clients" className="grid auto-rows-fr gap-2 md:gap-0">
          {clients.map((client) => (
            <ClientCard key={client.name} client={client} n={run.n} hues={hues} />
          ))}
        </ul>
        {more > 0 && <p className="text-mute">And {more} more clients: see the lanes.</p>}
      </div>
    </div>
  );
}

const STROKE = {
  asked: "var(--accent)",
  yes: "var(--ok)",
  no: "var(--bad)",
  neutral: "var(--edge)",
  silent: "var(--edge)",
} as const;
const DASH = { asked: "6 4", yes: undefined, no: undefined, neutral: undefined, silent: "2 5" } as const;

/** Said in words on the cards, so not for a screen reader. */
function Wires({ wires, nodes, clients }: { wires: readonly Wire[]; nodes: number; clients: number }) {
  return (
    <div className="relative hidden min-h-24 md:block">
      <svg
        aria-hidden
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        className="absolute inset-0 size-full overflow-visible"
      >
        {wires.map(({ client, node, tone }) => (
          <line
            key={`${client} ${node}`}
            x1={0}
            x2={100}
            y1={(100 * (node + 0.5)) / nodes}
            y2={(100 * (client + 0.5)) / clients}
            vectorEffect="non-scaling-stroke"
            stroke={STROKE[tone]}
            strokeWidth={tone === "silent" ? 1.5 : 2}
            strokeDasharray={DASH[tone]}
          />
        ))}
      </svg>
    </div>
  );
}
