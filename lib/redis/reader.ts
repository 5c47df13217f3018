import type { Fault } from "@/lib/redlock";
import type { Connection } from "./connection";
import { swapsFromInfo } from "./facts";
import { keyArgument, resourceOf } from "./key-bytes";
import type { KeyReading, ReadAnswer, ScanAnswer, ScanStep } from "./master";
import { runScript } from "./run-script";
import { READ, SCAN } from "./scripts";
import { withinLimit } from "./time-limit";
import { faultOf, UNEXPECTED } from "./votes";

/** Reads the given keys, all at one instant, in one round trip. */
export async function readKeys(connection: Connection, resources: readonly string[]): Promise<ReadAnswer> {
  if (!connection.isUsable) return notUsable(connection);
  const sentAt = performance.now();
  const reply = await runScript(connection.send, READ, { keys: resources.map(keyArgument), args: [] });
  const roundTripMs = performance.now() - sentAt;
  if (reply.kind !== "answer") return faultOf(reply);
  const words: readonly unknown[] = Array.isArray(reply.value) ? reply.value : [];
  if (words.length !== 2 * resources.length) return UNEXPECTED;
  const readings: KeyReading[] = [];
  for (const [index, resource] of resources.entries()) {
    const reading = readingOf(resource, words[2 * index], words[2 * index + 1]);
    if (reading === null) return UNEXPECTED;
    readings.push(reading);
  }
  return { kind: "readings", readings, roundTripMs };
}

/** One step of a scan, its keys already read. */
export async function scanKeys(connection: Connection, step: ScanStep): Promise<ScanAnswer> {
  if (!connection.isUsable) return notUsable(connection);
  const args = [step.cursor, step.match, step.count, ...(step.prefixes ?? [])];
  const reply = await runScript(connection.send, SCAN, { keys: [], args });
  if (reply.kind !== "answer") return faultOf(reply);
  const words: readonly unknown[] = Array.isArray(reply.value) ? reply.value : [];
  const [cursor] = words;
  if (!(cursor instanceof Buffer) || words.length % 3 !== 1) return UNEXPECTED;
  const readings: KeyReading[] = [];
  for (let at = 1; at < words.length; at += 3) {
    const key = words[at];
    const reading = key instanceof Buffer ? readingOf(resourceOf(key), words[at + 1], words[at + 2]) : null;
    if (reading === null) return UNEXPECTED;
    // A key can expire between SCAN's look at it and ours only on paper (time stands still), but a scan may name it twice.
    if (reading.type !== "none") readings.push(reading);
  }
  return { kind: "page", cursor: cursor.toString(), readings };
}

/** See `Master.swaps`. */
export async function readSwaps(connection: Connection, limitMs: number): Promise<number | null> {
  const reply = await withinLimit(connection.send("INFO", "commandstats"), limitMs);
  return reply.kind === "answer" ? swapsFromInfo(String(reply.value)) : null;
}

/** @param found @param pttl as the scripts tell them: see `READ` @returns null when it is something else */
function readingOf(resource: string, found: unknown, pttl: unknown): KeyReading | null {
  if (typeof pttl !== "number") return null;
  // -1: no expiry; -2: no key.
  const remainingMs = pttl < 0 ? null : pttl;
  if (found instanceof Buffer) return { resource, type: "string", value: found, elements: null, remainingMs };
  if (found === null) return { resource, type: "none", value: null, elements: null, remainingMs };
  if (!Array.isArray(found)) return null;
  const [type, size, ...words] = found as readonly unknown[];
  if (!(type instanceof Buffer)) return null;
  const elements = typeof size === "number" ? { size, words: words.filter(isBytes) } : null;
  return { resource, type: type.toString(), value: null, elements, remainingMs };
}

function isBytes(word: unknown): word is Buffer {
  return word instanceof Buffer;
}

function notUsable(connection: Connection): Fault {
  return { kind: "unreachable", reason: connection.reason };
}
