import { appendFileSync, readFileSync } from "node:fs";

/**
 * What one worker did, one JSON line each. Times are microseconds of CLOCK_MONOTONIC, which is one clock for all processes of a
 * machine. A grant is stamped after its acquire has resolved and an end before its release is called, so that a recorded interval
 * lies inside the true one: two that overlap were never a matter of bookkeeping.
 */
export type FaultRecord =
  | {
      readonly kind: "grant";
      readonly id: string;
      readonly resource: string;
      /** Just before the acquire. */
      readonly askedUs: number;
      readonly atUs: number;
      /** End of the validity the client claims. */
      readonly untilUs: number;
      /** Left out where none was asked for. */
      readonly fence?: number;
    }
  | {
      readonly kind: "extend";
      readonly id: string;
      readonly askedUs: number;
      readonly atUs: number;
      readonly untilUs: number;
    }
  /** About to be released. */
  | { readonly kind: "end"; readonly id: string; readonly atUs: number }
  /** The holder looked and found its lock gone. */
  | { readonly kind: "stale"; readonly id: string; readonly atUs: number }
  | { readonly kind: "fail"; readonly id: string; readonly resource: string; readonly atUs: number }
  /** Nodes are about to get fence counters that may be too low: so many had lost theirs together. `id` names the worker. */
  | { readonly kind: "guess"; readonly id: string; readonly atUs: number }
  /** After everything is well again: how long a free lock took; null = not granted within the bound. */
  | { readonly kind: "live"; readonly id: string; readonly resource: string; readonly tookMs: number | null };

/** Microseconds on the clock that all processes of this machine share; exact, because a number holds 285 years of them. */
export function nowUs(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/** Appends to a file, synchronously: what was claimed is on record before anything else happens, also when the process is killed. */
export function historyWriter(path: string): (record: FaultRecord) => void {
  return (record) => appendFileSync(path, `${JSON.stringify(record)}\n`);
}

/** The records of several workers, each file in its own order. */
export function readHistory(paths: readonly string[]): readonly FaultRecord[] {
  return paths.flatMap((path) =>
    readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as FaultRecord),
  );
}
