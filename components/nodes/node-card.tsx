"use client";

import { EyeOff, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { formatDuration, formatRoundTrip } from "@/lib/client";
import type { ClusterNode } from "@/lib/contract";
import { Badge } from "../ui/badge";
import { CopyButton } from "../ui/copy-button";
import { TimeLeft, TimeSince } from "../ui/time-left";
import { DrainControls } from "./drain-controls";
import { FaultControls } from "./fault-controls";
import { MirrorLine } from "./mirror-line";
import { nodeLook } from "./node-looks";

type Props = {
  readonly node: ClusterNode;
  /** Monotonic milliseconds when the facts were read. */
  readonly takenAt: number | null;
  readonly isEmbedded: boolean;
  /** How long the node is kept out when it starts empty; 0 when it is not. */
  readonly quarantineMs: number;
  /** Voting nodes beyond the quorum. */
  readonly canLose: number;
  /** Why nothing may be done now; null when it may. */
  readonly blocked: string | null;
  /** Takes the card out of view; the node itself does not notice. */
  readonly onHide: () => void;
};

/** One node: whether it votes, what it is, what is wrong with it and what to do about that. */
export function NodeCard({ node, takenAt, isEmbedded, quarantineMs, canLose, blocked, onHide }: Props) {
  const look = nodeLook(node);
  return (
    <article
      aria-label={`Node ${node.id}`}
      className="flex h-full flex-col rounded-xl border border-line bg-panel px-4 py-3.5"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="font-semibold text-[17px]">{node.id}</h2>
        <Badge tone={look.tone}>{look.word}</Badge>
        {!look.isVoting && <span className="text-[13px] text-mute">does not vote</span>}
        <button
          type="button"
          title="Hide from view; it still counts"
          onClick={onHide}
          className="-mr-1.5 ml-auto grid size-7 place-items-center rounded-md text-mute hover:bg-hover hover:text-ink"
        >
          <EyeOff aria-hidden className="size-4" />
          <span className="sr-only">Hide node {node.id} from view</span>
        </button>
      </div>
      {node.quarantinedForMs > 0 && (
        <p className="mt-2 text-unk">
          Quarantined, votes again in <TimeLeft remainingMs={node.quarantinedForMs} takenAt={takenAt} over="a moment" />
          .
        </p>
      )}
      {node.faults.length > 0 && (
        <ul aria-label={`Faults of node ${node.id}`} className="mt-2 grid gap-1.5">
          {node.faults.map((fault) => (
            <li
              key={fault}
              className="grid grid-cols-[auto_1fr] gap-2 rounded-lg bg-risk-soft px-2.5 py-1.5 text-[13.5px]"
            >
              <TriangleAlert aria-hidden className="mt-0.5 size-4 text-risk" />
              <span className="min-w-0 break-words">{fault}</span>
            </li>
          ))}
        </ul>
      )}
      <Facts node={node} takenAt={takenAt} />
      <MirrorLine mirror={node.mirror} />
      {quarantineMs > 0 && <DrainControls node={node} canLose={canLose} blocked={blocked} />}
      {isEmbedded && node.process !== null && (
        <FaultControls node={node} quarantineMs={quarantineMs} blocked={blocked} />
      )}
    </article>
  );
}

function Facts({ node, takenAt }: Pick<Props, "node" | "takenAt">) {
  const { clockOffsetMs, uptimeMs, lastAnswerMsAgo, process } = node;
  return (
    <dl className="mt-3 mb-1 grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-0.5 text-[13.5px]">
      <Fact name="Address">
        <code>{node.address}</code>
        <CopyButton text={node.address} what={`address of node ${node.id}`} />
      </Fact>
      <Fact name="Role">{node.role}</Fact>
      <Fact name="Version">{node.version}</Fact>
      <Fact name="Round trip">{node.roundTripMs === null ? null : formatRoundTrip(node.roundTripMs)}</Fact>
      <Fact name="Clock offset">{clockOffsetMs === null ? null : `${clockOffsetMs.toFixed(1)} ms`}</Fact>
      <Fact name="Up for">{uptimeMs === null ? null : <TimeSince ageMs={uptimeMs} takenAt={takenAt} />}</Fact>
      <Fact name="Persistence">{node.persistence}</Fact>
      <Fact name="Eviction policy">{node.evictionPolicy}</Fact>
      <Fact name="Keys">{node.keys?.toLocaleString("en-US") ?? null}</Fact>
      <Fact name="Last answer">{lastAnswerMsAgo === null ? "never" : `${formatDuration(lastAnswerMsAgo)} ago`}</Fact>
      {process !== null && (
        <Fact name="Process">
          {process.state}
          {process.pid === null ? "" : `, pid ${process.pid}`}
          {process.link === "open" ? "" : `, link ${process.link}`}
        </Fact>
      )}
    </dl>
  );
}

/** Left out when nothing is known: a down node has no version worth a dash. */
function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  if (children === null) return null;
  return (
    <>
      <dt className="text-mute">{name}</dt>
      <dd className="min-w-0 truncate text-right">{children}</dd>
    </>
  );
}
