import { appendFileSync, readFileSync } from "node:fs";
import type { ClaimRecord } from "@/lib/lab";

/** What one worker did, one JSON line each: its claims, and what is needed beside them to judge it. */
export type FaultRecord =
  | ClaimRecord
  | { readonly kind: "fail"; readonly id: string; readonly resource: string; readonly atUs: number }
  /** Nodes are about to get fence counters that may be too low: so many had lost theirs together. `id` names the worker. */
  | { readonly kind: "guess"; readonly id: string; readonly atUs: number }
  /** After everything is well again: how long a free lock took; null = not granted within the bound. */
  | { readonly kind: "live"; readonly id: string; readonly resource: string; readonly tookMs: number | null };

/** Of these, the claims. */
export function claimRecords(records: readonly FaultRecord[]): readonly ClaimRecord[] {
  return records.filter((record) => record.kind !== "fail" && record.kind !== "guess" && record.kind !== "live");
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
