import { type Bytes, bytesOf } from "./bytes";
import { jointOwner, type Layout, pairsOf } from "./layout";
import { recipe, refused, SEMAPHORE_REASON } from "./release";
import type { WaiterProbe } from "./waiters";

// Redisson: a hash at the lock's name. Each Redisson client has its own id, and a RedLock uses one client per server, so the owner
// differs from node to node; the thread is the same everywhere.

const HOLDER = /^([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}:(\d+)$/;
const WRITER = /^([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}:(\d+):write$/;
/** Entries of one reader whose keys are removed with it; more than any sane program nests. */
const REENTRIES_MAX = 64;

const UNLOCK_MESSAGE = "0";
const WRITE_UNLOCK_MESSAGE = "1";

/** RLock, fair lock, fenced lock and spin lock: one field, `<client>:<thread>` = how often it was entered. */
const lock: Layout = {
  id: "redisson-lock",
  type: "hash",
  identify(sighting) {
    const { key, elements } = sighting;
    const [[field, count] = ["", ""]] = pairsOf(sighting);
    const match = HOLDER.exec(field);
    if (elements?.size !== 1 || match === null || !/^\d+$/.test(count)) return null;
    return {
      recognition: {
        ...named("redisson-lock", "Redisson lock"),
        holderLabel: Number(count) > 1 ? `${nameOf(match)}, entered ${count} times` : nameOf(match),
        group: `lock ${match[2]}`,
      },
      owner: field,
      isRevocable: false,
      release: () =>
        recipe(
          key,
          [{ kind: "element", key: bytesOf(key), element: field }],
          [
            { kind: "delete", key: bytesOf(key) },
            // A fair lock wakes the first in line, who listens on a channel of its own; the others wake everybody.
            {
              kind: "publish_to_head",
              queue: beside("redisson_lock_queue", key),
              channel: beside("redisson_lock__channel", key),
              message: UNLOCK_MESSAGE,
            },
          ],
        ),
    };
  },
  waiters: (key) => ({
    ...PROBE,
    sources: [
      { kind: "list", key: beside("redisson_lock_queue", key) },
      { kind: "subscribers", channel: beside("redisson_lock__channel", key) },
    ],
  }),
};

/** The read half of a read-write lock: a field per reader beside `mode`. */
const readLock: Layout = {
  id: "redisson-read",
  type: "hash",
  identify(sighting) {
    const { key, elements } = sighting;
    if (!hasMode(sighting, "read")) return null;
    const readers = pairsOf(sighting).flatMap(([field, count]) => {
      const match = HOLDER.exec(field);
      return match === null ? [] : [{ field, match, count: Math.min(Number(count), REENTRIES_MAX) }];
    });
    const size = (elements?.size ?? 1) - 1;
    const own = bytesOf(key);
    const one = readers.length === 1 && size === 1 ? readers[0] : undefined;
    return {
      recognition: {
        ...named("redisson-read", "Redisson read lock"),
        holderLabel: one === undefined ? `${size} readers` : nameOf(one.match),
        group: jointOwner(readers.map(({ match }) => `read ${match[2]}`)),
      },
      owner: readers.length === 0 ? null : jointOwner(readers.map(({ field }) => field)),
      isRevocable: false,
      release() {
        if (readers.length < size)
          return refused("It has more readers than can be compared. Stop them, or let it expire.");
        // A release would have nothing to compare before it deletes.
        if (readers.length === 0) return refused("It has no reader that could be compared. Let it expire.");
        return recipe(
          key,
          readers.map(({ field }) => ({ kind: "element", key: own, element: field })),
          [
            ...readers.flatMap(({ field, count }) => [
              { kind: "remove" as const, key: own, element: field },
              ...Array.from({ length: count }, (_, index) => ({
                kind: "delete" as const,
                key: `${braced(key)}:${field}:rwlock_timeout:${index + 1}`,
              })),
            ]),
            { kind: "delete_if_only", key: own, field: "mode" },
            { kind: "publish", channel: beside("redisson_rwlock", key), message: UNLOCK_MESSAGE },
          ],
        );
      },
    };
  },
  waiters: readWriteWaiters,
};

/** The write half: `<client>:<thread>:write`, possibly beside a read entry of the same thread. */
const writeLock: Layout = {
  id: "redisson-write",
  type: "hash",
  identify(sighting) {
    const { key } = sighting;
    if (!hasMode(sighting, "write")) return null;
    const [field] = pairsOf(sighting).find(([name]) => WRITER.test(name)) ?? [""];
    const match = WRITER.exec(field);
    if (match === null) return null;
    return {
      recognition: {
        ...named("redisson-write", "Redisson write lock"),
        holderLabel: nameOf(match),
        group: `write ${match[2]}`,
      },
      owner: field,
      isRevocable: false,
      release: () =>
        recipe(
          key,
          [{ kind: "element", key: bytesOf(key), element: field }],
          [
            { kind: "delete", key: bytesOf(key) },
            { kind: "publish", channel: beside("redisson_rwlock", key), message: WRITE_UNLOCK_MESSAGE },
          ],
        ),
    };
  },
  waiters: readWriteWaiters,
};

/** FasterMultiLock: many locks in one hash, each of three fields named after a hash of what is locked. */
const multiLock: Layout = {
  id: "redisson-multi",
  type: "hash",
  identify(sighting) {
    const { key, elements } = sighting;
    const fields = new Map(pairsOf(sighting));
    const locked = [...fields].filter(([name]) => fields.has(`${name}:lock_count`));
    if (locked.length === 0) return null;
    const own = bytesOf(key);
    const expiryOf = ([name, owner]: readonly [Bytes, Bytes]) => `${name}:${owner}:expire_time`;
    return {
      recognition: {
        ...named("redisson-multi", "Redisson multi-lock"),
        holderLabel: locked.length === 1 ? null : `${locked.length} locks in one hash`,
      },
      owner: jointOwner(locked.map(([name, owner]) => `${name} ${owner}`)),
      isRevocable: false,
      release() {
        if ((elements?.size ?? 0) > fields.size) return refused("It has more locks than can be compared.");
        return recipe(
          key,
          locked.map(([element, value]) => ({ kind: "element", key: own, element, value })),
          [
            ...locked
              .flatMap((entry) => [entry[0], expiryOf(entry), `${entry[0]}:lock_count`])
              .map((element) => ({ kind: "remove" as const, key: own, element })),
            { kind: "publish", channel: beside("redisson_lock__channel", key), message: UNLOCK_MESSAGE },
          ],
        );
      },
    };
  },
};

/** PermitExpirableSemaphore: the permits that are out, in a sorted set beside the count of those that are left. */
const permits: Layout = {
  id: "redisson-permits",
  type: "zset",
  isOneServer: true,
  identify(sighting) {
    const { key, elements } = sighting;
    if (!key.endsWith(":timeout")) return null;
    const members = pairsOf(sighting).map(([member]) => member);
    if (members.length === 0 || !members.every((member) => /^[0-9a-f]{32}$/.test(member))) return null;
    return {
      recognition: {
        ...named("redisson-permits", "Redisson expirable permits", "probable"),
        holderLabel: `${elements?.size} permits out`,
      },
      owner: jointOwner(members),
      isRevocable: false,
      release: () => refused(SEMAPHORE_REASON),
    };
  },
  waiters: (key) => ({
    ...PROBE,
    sources: [{ kind: "subscribers", channel: `redisson_sc:${bytesOf(key).slice(0, -":timeout".length)}` }],
  }),
};

/** Every object of Redisson that can be told by what is in its key. */
export const redisson: readonly Layout[] = [lock, readLock, writeLock, multiLock, permits];

const PROBE = {
  isComplete: true,
  note: "Seen on the lock's channel, or in the queue of a fair lock. A process listens once for all of its threads, and a spin lock leaves no trace of who waits.",
  nameOf(entry: Bytes): string | null {
    const match = HOLDER.exec(entry);
    return match === null ? null : nameOf(match);
  },
};

function readWriteWaiters(key: string): WaiterProbe {
  return { ...PROBE, sources: [{ kind: "subscribers", channel: beside("redisson_rwlock", key) }] };
}

function named(id: string, label: string, confidence: "certain" | "probable" = "certain") {
  return { id, label, confidence } as const;
}

function nameOf(match: RegExpExecArray): string {
  return `client ${match[1]}, thread ${match[2]}`;
}

function hasMode(sighting: Parameters<typeof pairsOf>[0], mode: "read" | "write"): boolean {
  return pairsOf(sighting).some(([field, value]) => field === "mode" && value === mode);
}

/** Redisson's name of a key or channel that belongs to another key: with hash-tag braces unless there are some already. */
function beside(prefix: string, key: string): Bytes {
  return `${prefix}:${braced(key)}`;
}

function braced(key: string): Bytes {
  const own = bytesOf(key);
  return own.includes("{") ? own : `{${own}}`;
}
