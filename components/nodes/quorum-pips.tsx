import clsx from "clsx";
import { Fragment } from "react";
import type { Cluster } from "@/lib/contract";
import { nodeLook } from "./node-looks";

/** The membership as pips: filled = votes, hatched = silent, ring = quarantined; the mark stands where the quorum lies. */
export function QuorumPips({ cluster }: { readonly cluster: Cluster }) {
  const looks = cluster.nodes.map((node) => ({ id: node.id, look: nodeLook(node) }));
  const spoken = looks.map(({ id, look }) => `${id} ${look.word}`).join("; ");
  return (
    <span role="img" aria-label={spoken} className="inline-flex items-center gap-1.5">
      {looks.map(({ id, look }, index) => (
        <Fragment key={id}>
          <span
            aria-hidden
            title={`${id}: ${look.word}`}
            className={clsx(
              "inline-block size-4 rounded-[5px] border-[1.5px]",
              look.isVoting && "border-accent bg-accent",
              !look.isVoting &&
                look.word === "quarantined" &&
                "border-edge ring-2 ring-unk ring-offset-2 ring-offset-panel",
              !look.isVoting && look.word !== "quarantined" && "hatch border-edge border-dashed",
            )}
          />
          {index + 1 === cluster.quorum && index + 1 < cluster.n && (
            <span aria-hidden className="h-6 w-[2px] rounded-full bg-mute" />
          )}
        </Fragment>
      ))}
    </span>
  );
}
