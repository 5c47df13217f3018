import { isHelperKey, type Sighting } from "@/lib/layouts";
import { asSighting, type Master } from "@/lib/redis";
import type { Clock } from "@/lib/redlock";
import { reasonOf } from "./column";

/** Keys asked for in one step: a round trip of a millisecond or two, not of a second. */
const PAGE_KEYS = 250;
/** So many keys of a node are enough: where each lands in a scan is as good as random. */
const SAMPLE_KEYS = 2000;
/** Longest a node is sampled, and longest it is asked about the keys of others, milliseconds; one time limit more at most. */
const SAMPLE_MS_MAX = 5000;
const COMPARE_MS_MAX = 3000;
/** A node that is late so many times in a row is given up. */
const ATTEMPTS_MAX = 3;

/** Some of the keys of one node. */
export interface NodeSample {
  readonly master: Master;
  /** Keys looked at, also the helpers of lock clients, which are not among the sightings. */
  readonly sampled: number;
  /** Keys in its database; null where it does not say. */
  readonly of: number | null;
  readonly sightings: readonly Sighting[];
  /** Every key was looked at. */
  readonly complete: boolean;
  /** Why it ended early; null when it did not. */
  readonly reason: string | null;
}

/** Looks at some keys of a node, page by page with pauses, in bounded time. Never rejects. */
export async function sampleNode(master: Master, clock: Clock): Promise<NodeSample> {
  const endAt = clock.now() + SAMPLE_MS_MAX;
  await master.probe();
  const seen = new Set<string>();
  const sightings: Sighting[] = [];
  const end = (complete: boolean, reason: string | null): NodeSample => {
    const isSilent = seen.size === 0 && !complete;
    return { master, sampled: seen.size, of: isSilent ? null : master.status().keys, sightings, complete, reason };
  };
  let failures = 0;
  for (let cursor = "0"; ; ) {
    const sentAt = clock.now();
    const answer = await master.scan({ cursor, match: "*", count: PAGE_KEYS });
    if (answer.kind === "page") {
      failures = 0;
      for (const reading of answer.readings) {
        // A scan may name a key twice.
        if (seen.has(reading.resource)) continue;
        seen.add(reading.resource);
        if (!isHelperKey(reading.resource, reading.type)) sightings.push(asSighting(reading));
      }
      cursor = answer.cursor;
      if (cursor === "0") return end(true, null);
      if (seen.size >= SAMPLE_KEYS) return end(false, null);
    } else {
      failures += 1;
      if (answer.kind !== "timeout" || failures === ATTEMPTS_MAX) return end(false, reasonOf(answer));
    }
    if (clock.now() >= endAt) return end(false, `it is slow: its ${SAMPLE_MS_MAX / 1000} seconds were over`);
    await pause(clock, clock.now() - sentAt);
  }
}

/**
 * Asks a node for given keys, in bounded time: scans of two servers meet different keys first, so that a sample alone could not tell
 * whether they agree. Never rejects.
 *
 * @returns those that it has, as far as it answered
 */
export async function lookFor(master: Master, keys: readonly string[], clock: Clock): Promise<readonly Sighting[]> {
  const endAt = clock.now() + COMPARE_MS_MAX;
  const sightings: Sighting[] = [];
  for (let start = 0; start < keys.length && clock.now() < endAt; start += PAGE_KEYS) {
    const sentAt = clock.now();
    const answer = await master.read(keys.slice(start, start + PAGE_KEYS));
    if (answer.kind !== "readings") return sightings;
    for (const reading of answer.readings) if (reading.type !== "none") sightings.push(asSighting(reading));
    await pause(clock, clock.now() - sentAt);
  }
  return sightings;
}

/** Half of the time belongs to everybody else. */
function pause(clock: Clock, tookMs: number): Promise<void> {
  return new Promise((resolve) => clock.schedule(Math.max(1, tookMs), resolve));
}
