"use client";

import type { Received } from "@/lib/client";
import type { Cluster } from "@/lib/contract";
import { nodeLook } from "../nodes/node-looks";
import { QuorumPips } from "../nodes/quorum-pips";
import { spareSentence } from "../nodes/quorum-words";
import { Panel } from "../ui/panel";
import { TimeLeft } from "../ui/time-left";

/** Whether locks can be acquired at all, and how much more may fail. */
export function QuorumPanel({ cluster }: { readonly cluster: Received<Cluster> }) {
  const { value, takenAt } = cluster;
  const spare = spareSentence(value);
  const missing = value.nodes.filter((node) => !nodeLook(node).isVoting);
  return (
    <Panel title="Quorum" aside={<QuorumPips cluster={value} />}>
      <p className="font-semibold text-[26px] leading-tight">
        {value.voting} of {value.n} can vote
      </p>
      <p className="mt-1 text-mute">
        quorum {value.quorum} · <b className={spare.color}>{spare.text}</b>
        {missing.map((node) => (
          <span key={node.id}>
            {" · "}
            {node.quarantinedForMs > 0 ? (
              <>
                {node.id} is quarantined, <TimeLeft remainingMs={node.quarantinedForMs} takenAt={takenAt} /> left
                {node.quarantineReason !== null && `: ${node.quarantineReason}`}
              </>
            ) : (
              `${node.id} is ${nodeLook(node).word}`
            )}
          </span>
        ))}
      </p>
    </Panel>
  );
}
