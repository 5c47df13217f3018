"use client";

import { ageOf, formatDuration, formatExactly, useTicking } from "@/lib/client";

type Props = {
  /** Milliseconds left when it was read; null = no end. */
  readonly remainingMs: number | null;
  /** Monotonic milliseconds when it was read. */
  readonly takenAt: number | null;
  /** Shown when there is no end. */
  readonly never?: string;
  /** Shown when nothing is left. */
  readonly over?: string;
};

/**
 * A countdown that needs no request: from the remaining time and the moment it was read. It stands still with stale data and in a
 * hidden tab, and is never announced (a `timer` is not live).
 */
export function TimeLeft({ remainingMs, takenAt, never = "never by itself", over = "0.0 s" }: Props) {
  const text = useTicking((now) => {
    if (remainingMs === null) return never;
    const left = remainingMs - ageOf({ takenAt }, now);
    return left > 0 ? formatDuration(left) : over;
  });
  const exact = remainingMs === null ? undefined : `${formatExactly(remainingMs)} when it was read`;
  return (
    <span role="timer" aria-live="off" title={exact} className="whitespace-nowrap">
      {text}
    </span>
  );
}

/** The other direction: how long ago something was. @param ageMs milliseconds at the moment `takenAt` */
export function TimeSince({ ageMs, takenAt }: { readonly ageMs: number; readonly takenAt: number | null }) {
  const text = useTicking((now) => formatDuration(ageMs + ageOf({ takenAt }, now)));
  return (
    <span role="timer" aria-live="off" title={`${formatExactly(ageMs)} when it was read`} className="whitespace-nowrap">
      {text}
    </span>
  );
}
