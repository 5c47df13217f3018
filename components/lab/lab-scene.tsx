import { useMemo } from "react";
import type { LabRun } from "@/lib/contract";
import { tokenHues } from "../locks/token-hue";
import { sceneOf } from "./scene";
import { ClientCard, NodeCard } from "./scene-cards";
import { Wires } from "./wires";

/** Nodes to the left, clients with belief above truth to the right, requests and replies between them. */
export function LabScene({ run, atMs }: { readonly run: LabRun; readonly atMs: number }) {
  const { nodes, clients, more, wires } = useMemo(() => sceneOf(run, atMs), [run, atMs]);
  const hues = useMemo(
    () => tokenHues(run.events.flatMap((event) => (event.kind === "granted" ? [event.holder] : []))),
    [run.events],
  );
  if (nodes.length === 0) return null;
  return (
    <div className="grid gap-3 md:grid-cols-[minmax(190px,1fr)_minmax(110px,1fr)_minmax(280px,2fr)] md:gap-0">
      <ul aria-label="Nodes" className="grid auto-rows-fr grid-cols-2 gap-2 md:grid-cols-1 md:gap-0">
        {nodes.map((node) => (
          <NodeCard key={node.name} node={node} hues={hues} />
        ))}
      </ul>
      <Wires wires={wires} />
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
