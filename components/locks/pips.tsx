"use client";

import clsx from "clsx";
import { type CSSProperties, Fragment, memo } from "react";
import { ageOf, endedKeys, type Received, useTicking } from "@/lib/client";
import type { LockView, Reading } from "@/lib/contract";
import { quorumOf } from "@/lib/redlock";
import { tokenHues } from "./token-hue";

type PipReading = Pick<Reading, "node" | "reading" | "fingerprint" | "quarantined">;

type Props = {
  /** One per configured node, in node order. */
  readonly readings: readonly PipReading[];
  /** Token that is shown without a mark; others of the same lock get a dot or a bar besides another hue. */
  readonly holder: string | null;
  /** Tokens in order of importance, where readings alone no longer tell: colours must not change as keys expire. */
  readonly tokens?: readonly string[];
};

/** N nodes at a glance, with a mark where the quorum lies. Drawn the same everywhere. */
export function Pips({ readings, holder, tokens = tokensOf(readings, holder) }: Props) {
  if (readings.length === 0) return null;
  const quorum = quorumOf(readings.length);
  const hues = tokenHues(tokens);
  return (
    <span role="img" aria-label={spoken(readings)} className="inline-flex items-center gap-1">
      {readings.map((reading, index) => (
        <Fragment key={reading.node}>
          <Pip
            reading={reading}
            hue={hues.get(reading.fingerprint ?? "") ?? null}
            rank={tokens.indexOf(reading.fingerprint ?? "")}
          />
          {index + 1 === quorum && index + 1 < readings.length && (
            <span data-quorum aria-hidden className="mx-px h-[19px] w-[2px] rounded-full bg-mute" />
          )}
        </Fragment>
      ))}
    </span>
  );
}

/** The pips of a lock as they are now: a key whose time is over has left its node. */
export function LockPips({ lock }: { readonly lock: Received<LockView> }) {
  const ended = useTicking((now) => endedKeys(lock.value, ageOf(lock, now)));
  return <PipsAfter lock={lock.value} ended={ended} />;
}

type AfterProps = { readonly lock: LockView; readonly ended: string };

/** The pips of a lock when these keys have ended. @param ended as `endedKeys` spells it */
export const PipsAfter = memo(function PipsAfter({ lock: { nodes, holder }, ended }: AfterProps) {
  const readings = nodes.map((reading, index) => (ended[index] === "x" ? asFree(reading) : reading));
  const holding = holder?.fingerprint ?? null;
  return <Pips readings={readings} holder={holding} tokens={tokensOf(nodes, holding)} />;
});

function asFree(reading: Reading): Reading {
  return { ...reading, reading: "free", fingerprint: null, remainingMs: null };
}

type PipProps = { readonly reading: PipReading; readonly hue: number | null; readonly rank: number };

/** One node: filled = holds, hollow = free, hatched = unknown, cross = foreign key, ring = quarantined. */
export function Pip({ reading, hue, rank }: PipProps) {
  const { reading: kind, quarantined } = reading;
  const isFilled = kind === "token" && hue !== null;
  return (
    <span
      data-pip={kind}
      title={spokenOne(reading)}
      style={isFilled ? ({ "--token-hue": hue } as CSSProperties) : undefined}
      className={clsx(
        "relative inline-grid size-[13px] shrink-0 place-items-center rounded-[4px] border-[1.5px]",
        isFilled && "token-fill",
        kind === "free" && "border-edge",
        kind === "unknown" && "hatch border-edge border-dashed",
        kind === "foreign" && "border-mute",
        quarantined && "ring-2 ring-unk ring-offset-2 ring-offset-panel",
      )}
    >
      {isFilled && rank === 1 && <span aria-hidden className="size-[5px] rounded-full bg-panel" />}
      {isFilled && rank > 1 && <span aria-hidden className="h-[3px] w-[8px] bg-panel" />}
      {kind === "foreign" && (
        <span aria-hidden className="font-bold text-[12px] text-mute leading-none">
          ×
        </span>
      )}
    </span>
  );
}

/** Tokens of a lock, the holder's first, then by number of nodes. */
export function tokensOf(readings: readonly PipReading[], holder: string | null): readonly string[] {
  const counts = new Map<string, number>();
  for (const { fingerprint, reading } of readings) {
    if (reading === "token" && fingerprint !== null) counts.set(fingerprint, (counts.get(fingerprint) ?? 0) + 1);
  }
  const weight = (token: string) => (token === holder ? Number.POSITIVE_INFINITY : (counts.get(token) ?? 0));
  return [...counts.keys()].sort((a, b) => weight(b) - weight(a));
}

function spokenOne({ node, reading, fingerprint, quarantined }: PipReading): string {
  const mark = quarantined ? ", quarantined" : "";
  switch (reading) {
    case "token":
      return `${node} holds ${fingerprint ?? "a token"}${mark}`;
    case "free":
      return `${node} free${mark}`;
    case "unknown":
      return `${node} unknown${mark}`;
    case "foreign":
      return `${node} has a foreign key${mark}`;
    default:
      return reading satisfies never;
  }
}

function spoken(readings: readonly PipReading[]): string {
  return readings.map(spokenOne).join("; ");
}
