"use client";

import { formatDuration, type Received } from "@/lib/client";
import { type LockDetail, seenForMs } from "@/lib/contract";
import { TimeSince } from "../ui/time-left";
import { LockWaiters } from "./lock-waiters";

/** Is it stuck or only busy: age, renewals, the usual hold time of that name, who waits, and what stands out. */
export function LockEvidence({ lock }: { readonly lock: Received<LockDetail> }) {
  const { value, takenAt } = lock;
  const { usualHoldMs, renewals, hints } = value;
  return (
    <div className="grid gap-2">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        <dt className="text-mute">First seen</dt>
        <dd>
          {value.firstSeenAt === null || value.verdict === "free" ? (
            "not now"
          ) : (
            <>
              <TimeSince ageMs={seenForMs(value)} takenAt={takenAt} /> ago
            </>
          )}
        </dd>
        <dt className="text-mute">Renewed</dt>
        <dd>{renewals === 0 ? "never seen" : `${renewals.toLocaleString("en-US")} times`}</dd>
        <dt className="text-mute">Usually held</dt>
        <dd>
          {usualHoldMs === null
            ? "not known yet"
            : `${formatDuration(usualHoldMs.p50)} (half of them), ${formatDuration(usualHoldMs.p99)} (99 %)`}
        </dd>
        {value.layout !== null && (
          <>
            <dt className="text-mute">Waiting</dt>
            <dd>
              <LockWaiters waiters={value.waiters} />
            </dd>
          </>
        )}
      </dl>
      <Judgement lock={value} />
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

function Judgement({ lock }: { readonly lock: LockDetail }) {
  const { usualHoldMs, renewals, verdict } = lock;
  const isOverdue = usualHoldMs !== null && seenForMs(lock) > usualHoldMs.p99;
  if (verdict === "free" || !isOverdue) return null;
  return (
    <p className="font-semibold text-risk">
      Held longer than 99 % before. {renewals > 0 && "Somebody renews it: the process lives, the work may not go on."}
    </p>
  );
}
