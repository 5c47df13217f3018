"use client";

import { TriangleAlert } from "lucide-react";
import { formatDuration, type Received } from "@/lib/client";
import { type Evidence, type LockDetail, seenForMs, type Usual } from "@/lib/contract";
import { TimeSince } from "../ui/time-left";
import { EVIDENCE_WORDS } from "./evidence-words";
import { LockWaiters } from "./lock-waiters";

/** Is it stuck or only busy: age, renewals, what is usual for the name and names like it, who waits, and the reasons that speak for stuck. */
export function LockEvidence({ lock }: { readonly lock: Received<LockDetail> }) {
  const { value, takenAt } = lock;
  const { usual, renewals, hints, evidence, verdict } = value;
  return (
    <div className="grid gap-2">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        <dt className="text-mute">First seen</dt>
        <dd>
          {value.firstSeenAt === null || verdict === "free" ? (
            "not now"
          ) : (
            <>
              <TimeSince ageMs={seenForMs(value)} takenAt={takenAt} /> ago
            </>
          )}
        </dd>
        <dt className="text-mute">Renewed</dt>
        <dd>{renewals === 0 ? "never seen" : renewals === 1 ? "once" : `${renewals.toLocaleString("en-US")} times`}</dd>
        <UsualTimes name="Usually held" usual={usual.resource} />
        {usual.pattern !== null && <UsualTimes name={usual.pattern.name} usual={usual.pattern} />}
        {value.layout !== null && (
          <>
            <dt className="text-mute">Waiting</dt>
            <dd>
              <LockWaiters waiters={value.waiters} />
            </dd>
          </>
        )}
      </dl>
      {verdict !== "free" && <Reasons evidence={evidence} />}
      {renewals > 0 && evidence.some(({ kind }) => kind === "held_long") && (
        <p className="text-mute">Somebody renews it: the process lives, the work may not go on.</p>
      )}
      {hints.length > 0 && (
        <ul className="list-disc space-y-1 pl-5 text-mute">
          {hints.map((hint) => (
            <li key={hint}>{hint}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function UsualTimes({ name, usual }: { readonly name: string; readonly usual: Usual | null }) {
  return (
    <>
      <dt className="min-w-0 break-all text-mute">{name}</dt>
      <dd>{usual === null ? "not known yet" : usualSentence(usual)}</dd>
    </>
  );
}

function usualSentence({ holds, holdMs, renewals }: Usual): string {
  const times = `${formatDuration(holdMs.p50)} (half of ${holds}), ${formatDuration(holdMs.p99)} (99 %)`;
  const often = renewals.p50 === 1 ? "once" : `${renewals.p50} times`;
  return renewals.p99 === 0 ? `${times}; never renewed` : `${times}; half renewed ${often} or more`;
}

function Reasons({ evidence }: { readonly evidence: readonly Evidence[] }) {
  if (evidence.length === 0) return <p className="text-mute">Nothing speaks for its being stuck.</p>;
  return (
    <ul aria-label="What speaks for its being stuck" className="grid gap-1.5">
      {evidence.map(({ kind, text }) => (
        <li key={kind} className="grid grid-cols-[1rem_minmax(0,1fr)] items-baseline gap-x-2">
          <TriangleAlert aria-hidden className="size-4 translate-y-0.5 text-risk" />
          <span>
            <b className="inline-block text-risk first-letter:uppercase">{EVIDENCE_WORDS[kind]}.</b> {text}
          </span>
        </li>
      ))}
    </ul>
  );
}
