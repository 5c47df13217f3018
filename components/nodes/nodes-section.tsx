"use client";

import { type Received, useCluster } from "@/lib/client";
import type { Cluster } from "@/lib/contract";
import { FailedState, LoadingState } from "../ui/states";
import { GuardNote } from "./guard-note";
import { HiddenNodesNotice } from "./hidden-nodes-notice";
import { NodeCard } from "./node-card";
import { QuorumPips } from "./quorum-pips";
import { spareSentence } from "./quorum-words";
import { useHiddenNodes } from "./use-hidden-nodes";

/** Every node with its facts and faults, and on the embedded cluster the buttons that make faults. */
export function NodesSection() {
  const state = useCluster();
  return (
    <div className="grid gap-4">
      <h1 className="font-semibold text-[20px]">Nodes</h1>
      {state.kind === "loading" && <LoadingState what="nodes" />}
      {state.kind === "failed" && <FailedState error={state.error} />}
      {state.kind === "ready" && (
        <div className={state.staleBecause === null ? "" : "stale-look"}>
          <Nodes cluster={state.cluster} staleBecause={state.staleBecause} />
        </div>
      )}
    </div>
  );
}

type Props = { readonly cluster: Received<Cluster>; readonly staleBecause: string | null };

function Nodes({ cluster, staleBecause }: Props) {
  const { value, takenAt } = cluster;
  const spare = spareSentence(value);
  const { shown, hidden, hide, showAll } = useHiddenNodes(value.nodes);
  const readOnly = value.readOnly ? "this console is read-only" : null;
  const blocked = staleBecause === null ? readOnly : `what you see is old: ${staleBecause}`;
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2 rounded-xl border border-line bg-panel px-4 py-3.5">
        <QuorumPips cluster={value} />
        <p>
          <b className="text-[17px]">
            voting {value.voting} of {value.n}
          </b>
          <span className="text-mute"> · quorum {value.quorum} · </span>
          <b className={spare.color}>{spare.text}</b>
        </p>
        <p className="ml-auto text-[13px] text-mute">
          {value.embedded
            ? "Embedded cluster: the console started these servers and may do faults to them."
            : "Your own masters: the console only watches their processes."}
        </p>
      </div>
      <GuardNote cluster={value} takenAt={takenAt} blocked={blocked} />
      <HiddenNodesNotice hidden={hidden} n={value.n} onShow={showAll} />
      <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {shown.map((node) => (
          <li key={node.id} id={`node-${node.id}`} className="min-w-0">
            <NodeCard
              node={node}
              takenAt={takenAt}
              isEmbedded={value.embedded}
              quarantineMs={value.guard.quarantineMs}
              canLose={value.canLose}
              blocked={blocked}
              onHide={() => hide(node.id)}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
