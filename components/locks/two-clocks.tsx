"use client";

import type { ReactNode } from "react";
import { formatDuration, type Received, silentNodes } from "@/lib/client";
import type { LockDetail } from "@/lib/contract";
import { driftMs } from "@/lib/redlock";
import { TimeLeft } from "../ui/time-left";
import { useLiveVerdict } from "./use-live-verdict";
import { ValidityBar } from "./validity-bar";
import { marginSentence, VERDICT_LOOKS } from "./verdicts";

/** Less than this between the clocks is the spread of one acquire, not a dead zone. Milliseconds. */
const SPREAD_MS = 150;

/** "Held for at least" and "free for others from", and what lies between them. */
export function TwoClocks({ lock }: { readonly lock: Received<LockDetail> }) {
  const { value, takenAt } = lock;
  const verdict = useLiveVerdict(lock);
  const { heldForAtLeastMs: held, freeFromMs: free } = value;
  const fullMs = Math.max(value.fullMs ?? 0, held ?? 0, free ?? 0, 1);
  const isFree = verdict.kind === "free";
  const dead = isFree ? null : deadZone(value);
  const margin = marginSentence(verdict);
  return (
    <div className="grid gap-3">
      <Clock
        label={value.revoked ? "Blocked for at least" : "Held for at least"}
        value={<TimeLeft remainingMs={held} takenAt={takenAt} never="without end" over="not held" />}
      >
        <ValidityBar
          remainingMs={held}
          takenAt={takenAt}
          fullMs={fullMs}
          fill={VERDICT_LOOKS[verdict.kind].bar}
          hasDrift={held !== 0}
          isTall
        />
      </Clock>
      <Clock
        label="Free for others from"
        value={
          free === 0 || isFree ? (
            "now"
          ) : (
            <TimeLeft remainingMs={free} takenAt={takenAt} never={neverWord(value)} over="now" />
          )
        }
      >
        <ValidityBar remainingMs={free} takenAt={takenAt} fullMs={fullMs} fill="bg-edge" isTall />
      </Clock>
      {dead !== null && (
        <Clock label="Between them">
          <span className="text-mute">{dead}</span>
        </Clock>
      )}
      {margin !== null && verdict.margin !== null && (
        <p className="border-line border-t pt-3 text-mute">
          Safety margin <b className={verdict.margin <= 1 ? "text-risk" : "text-ink"}>{verdict.margin}</b>: {margin}
        </p>
      )}
    </div>
  );
}

type ClockProps = { readonly label: string; readonly value?: ReactNode; readonly children: ReactNode };

function Clock({ label, value, children }: ClockProps) {
  return (
    <div className="grid grid-cols-[1fr_auto] items-center gap-x-3 gap-y-1 sm:grid-cols-[9.5rem_1fr_7.5rem]">
      <span className="max-sm:col-span-2">{label}</span>
      <span className={value === undefined ? "col-span-2" : "block"}>{children}</span>
      {value !== undefined && <b className="text-right sm:text-left">{value}</b>}
    </div>
  );
}

function neverWord({ noExpiry }: LockDetail): string {
  return noExpiry ? "never by itself" : "not known";
}

/** @returns null when the two clocks agree */
function deadZone(lock: LockDetail): string | null {
  const { heldForAtLeastMs: held, freeFromMs: free, noExpiry } = lock;
  if (held === null) return null;
  const silent = silentNodes(lock);
  const because = [
    ...(silent.length > 0 ? [`${silent.join(", ")} ${silent.length === 1 ? "is" : "are"} silent`] : []),
    ...(noExpiry ? ["a key without expiry is in the way"] : []),
    ...(isUneven(lock) ? ["the keys expire at different times"] : []),
  ].join(" and ");
  const reason = because === "" ? "" : `, because ${because}`;
  if (free === null) return `Then nobody holds it and nobody may be able to acquire it, with no end known${reason}.`;
  if (free - held <= driftMs(free) + SPREAD_MS) return null;
  return `Nobody holds it and nobody can acquire it: a dead zone of ${formatDuration(free - held)}${reason}.`;
}

function isUneven(lock: LockDetail): boolean {
  const ends = lock.nodes.flatMap(({ remainingMs }) => (remainingMs === null ? [] : [remainingMs]));
  return ends.length > 1 && Math.max(...ends) - Math.min(...ends) > SPREAD_MS;
}
