"use client";

import clsx from "clsx";
import type { CSSProperties } from "react";
import { ageOf, useTicking } from "@/lib/client";
import { driftMs } from "@/lib/redlock";

/** Half a per cent is less than a pixel on most bars: no need to draw more often. */
const STEPS = 200;

type Looks = {
  /** Tailwind class of the colour. */
  readonly fill: string;
  /** Shade the last part, in which clocks may disagree. */
  readonly hasDrift?: boolean;
  readonly isTall?: boolean;
};

type Props = Looks & {
  /** Milliseconds left when it was read; null = no end. */
  readonly remainingMs: number | null;
  readonly takenAt: number | null;
  /** What the whole bar stands for, milliseconds; null = as much as is left. */
  readonly fullMs: number | null;
};

/** A bar that drains; the number beside it says the same, so it is hidden from screen readers. */
export function ValidityBar({ takenAt, ...bar }: Props) {
  const step = useTicking((now) => barStep(bar, ageOf({ takenAt }, now)));
  return <BarAt step={step} {...bar} />;
}

/** How far a bar is filled, in steps. @param ageMs since its times were read, milliseconds */
export function barStep({ remainingMs, fullMs }: Pick<Props, "remainingMs" | "fullMs">, ageMs: number): number {
  if (remainingMs === null) return STEPS;
  return Math.ceil((Math.max(0, remainingMs - ageMs) / wholeOf(remainingMs, fullMs)) * STEPS);
}

type BarProps = Looks & Pick<Props, "remainingMs" | "fullMs"> & { readonly step: number };

/** The bar at a step, for whoever watches the time himself. Two elements: a list has one in each row. */
export function BarAt({ step, remainingMs, fullMs, fill, hasDrift = false, isTall = false }: BarProps) {
  const full = wholeOf(remainingMs, fullMs);
  const isShaded = hasDrift && remainingMs !== null && step > 0;
  const drift = { "--drift": `${(driftMs(full) / full) * (STEPS / step) * 100}%` } as CSSProperties;
  return (
    <span
      aria-hidden
      className={clsx("block w-full min-w-20 overflow-hidden rounded-full bg-track", isTall ? "h-3" : "h-2")}
    >
      <span
        className={clsx("block h-full rounded-full", fill, remainingMs === null && "opacity-60", isShaded && "drift")}
        style={{ width: `${(step / STEPS) * 100}%`, ...(isShaded && drift) }}
      />
    </span>
  );
}

function wholeOf(remainingMs: number | null, fullMs: number | null): number {
  return Math.max(fullMs ?? 0, remainingMs ?? 0, 1);
}
