"use client";

import clsx from "clsx";
import { ageOf, useTicking } from "@/lib/client";
import { driftMs } from "@/lib/redlock";

type Props = {
  /** Milliseconds left when it was read; null = no end. */
  readonly remainingMs: number | null;
  readonly takenAt: number | null;
  /** What the whole bar stands for, milliseconds; null = as much as is left. */
  readonly fullMs: number | null;
  /** Tailwind class of the colour. */
  readonly fill: string;
  /** Shade the last part, in which clocks may disagree. */
  readonly hasDrift?: boolean;
  readonly isTall?: boolean;
};

/** Half a per cent is less than a pixel on most bars: no need to draw more often. */
const STEPS = 200;

/** A bar that drains; the number beside it says the same, so it is hidden from screen readers. */
export function ValidityBar({ remainingMs, takenAt, fullMs, fill, hasDrift = false, isTall = false }: Props) {
  const full = Math.max(fullMs ?? 0, remainingMs ?? 0, 1);
  const step = useTicking((now) => {
    if (remainingMs === null) return STEPS;
    return Math.ceil((Math.max(0, remainingMs - ageOf({ takenAt }, now)) / full) * STEPS);
  });
  const width = `${(step / STEPS) * 100}%`;
  const driftShare = step === 0 ? 0 : (driftMs(full) / full) * (STEPS / step) * 100;
  return (
    <span
      aria-hidden
      className={clsx("relative block w-full min-w-20 overflow-hidden rounded-full bg-track", isTall ? "h-3" : "h-2")}
    >
      <span
        className={clsx(
          "absolute inset-y-0 left-0 overflow-hidden rounded-full",
          fill,
          remainingMs === null && "opacity-60",
        )}
        style={{ width }}
      >
        {hasDrift && remainingMs !== null && (
          <span className="absolute inset-y-0 left-0 bg-panel/55" style={{ width: `max(6px, ${driftShare}%)` }} />
        )}
      </span>
    </span>
  );
}
