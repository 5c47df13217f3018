import type { Fault } from "@/lib/redlock";
import type { Connection } from "./connection";
import { swapsFromInfo } from "./facts";
import { keyArgument, resourceOf } from "./key-bytes";
import type { KeyReading, ReadAnswer, ScanAnswer, ScanStep } from "./master";
import { runScript } from "./run-script";
import { READ, SCAN } from "./scripts";
import { withinLimit } from "./time-limit";
import { faultOf, type Sighting, sightingOf, UNEXPECTED } from "./votes";

/** Reads the given keys, all at one instant, in one round trip. */
export async function readKeys(connection: Connection, resources: readonly string[]): Promise<ReadAnswer> {
  if (!connection.isUsable) return notUsable(connection);
  const sentAt = performance.now();
  const reply = await runScript(connection.send, READ, { keys: resources.map(keyArgument), args: [] });
  const roundTripMs = performance.now() - sentAt;
  if (reply.kind !== "answer") return faultOf(reply);
  if (!Array.isArray(reply.value) || reply.value.length !== resources.length) return UNEXPECTED;
  const readings: KeyReading[] = [];
  for (const [index, resource] of resources.entries()) {
    const sighting = sightingOf(reply.value[index]);
    if (sighting === null) return UNEXPECTED;
    readings.push(readingOf(resource, sighting));
  }
  return { kind: "readings", readings, roundTripMs };
}

/** One step of a scan, its keys already read. */
export async function scanKeys(connection: Connection, step: ScanStep): Promise<ScanAnswer> {
  if (!connection.isUsable) return notUsable(connection);
  const args = [step.cursor, step.match, step.count, ...(step.prefixes ?? [])];
  const reply = await runScript(connection.send, SCAN, { keys: [], args });
  if (reply.kind !== "answer") return faultOf(reply);
  const [cursor, found]: readonly unknown[] = Array.isArray(reply.value) ? reply.value : [];
  if (!(cursor instanceof Buffer) || !Array.isArray(found)) return UNEXPECTED;
  const readings: KeyReading[] = [];
  for (const words of found as readonly unknown[]) {
    const [key, ...rest]: readonly unknown[] = Array.isArray(words) ? words : [];
    const sighting = sightingOf(rest);
    if (!(key instanceof Buffer) || sighting === null) return UNEXPECTED;
    // A key can expire between SCAN's look at it and ours only on paper (time stands still), but a scan may name it twice.
    if (sighting.type !== "none") readings.push(readingOf(resourceOf(key), sighting));
  }
  return { kind: "page", cursor: cursor.toString(), readings };
}

/** See `Master.swaps`. */
export async function readSwaps(connection: Connection, limitMs: number): Promise<number | null> {
  const reply = await withinLimit(connection.send("INFO", "commandstats"), limitMs);
  return reply.kind === "answer" ? swapsFromInfo(String(reply.value)) : null;
}

function readingOf(resource: string, { type, value, elements, remainingMs }: Sighting): KeyReading {
  return { resource, type, value, elements, remainingMs };
}

function notUsable(connection: Connection): Fault {
  return { kind: "unreachable", reason: connection.reason };
}
