import { bytesOf } from "./bytes";
import { type Layout, stringLayout } from "./layout";
import { type ReleaseStep, SEMAPHORE_REASON } from "./release";
import { isoTime } from "./times";
import type { WaiterProbe } from "./waiters";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const LOCK_PREFIX = "lock:";
/** How long python-redis-lock leaves its signal for those who wait, milliseconds. */
const SIGNAL_MS = 1000;

const STALLED_REASON =
  "Without its lock the job looks stalled and BullMQ runs it a second time. Use the queue's own tooling.";

/** Clients told by the prefix of their keys. The more telling ones come first. */
export const wellKnownKeys: readonly Layout[] = [
  ...(["certain", "probable"] as const).map((confidence) =>
    stringLayout({
      id: "bullmq",
      isOneServer: true,
      label: "BullMQ job lock",
      confidence,
      key: confidence === "certain" ? /^\{?bull\}?:[^:]+:[^:]+:lock$/ : /^[^:]+:[^:]+:[^:]+:lock$/,
      value: /^([0-9a-f]{8})-[0-9a-f-]{27}:\d+$/,
      holder: (match) => `worker ${match[1]}`,
      refusal: STALLED_REASON,
    }),
  ),
  stringLayout({ id: "medusa", ...medusa(/^\*$/), holder: () => "anonymous: every client may release it" }),
  stringLayout({ id: "medusa", ...medusa(/^execute:/), holder: () => "an execute() call" }),
  stringLayout({ id: "medusa", ...medusa() }),
  stringLayout({ id: "shedlock-key", isOneServer: true, label: "ShedLock", confidence: "probable", key: /^job-lock:/ }),
  stringLayout({
    id: "redis-semaphore",
    label: "redis-semaphore mutex",
    confidence: "probable",
    key: /^mutex:/,
  }),
  stringLayout({
    id: "redlock-key",
    label: "RedLock.net or pottery",
    confidence: "probable",
    key: /^redlock:/,
    value: UUID,
  }),
  stringLayout({
    id: "laravel",
    isOneServer: true,
    label: "Laravel atomic lock",
    confidence: "possible",
    // A cached text of 16 letters looks the same. As phpredis writes it with its serialiser, or plain.
    value: /^(?:s:16:")?[A-Za-z0-9]{16}(?:";)?$/,
    // `<redis prefix><cache prefix><name>`: laravel_database_laravel_cache_:report
    isLikely: ({ key }) => /laravel[_-]|_cache_?:/i.test(key),
  }),
  stringLayout({
    id: "redlock4j-permit",
    label: "redlock4j semaphore permit",
    confidence: "probable",
    key: /:permit:[0-9a-f]{32}$/,
    refusal: SEMAPHORE_REASON,
  }),
  stringLayout({
    id: "redlock4j-write",
    label: "redlock4j write lock",
    confidence: "certain",
    key: /:write$/,
    value: /^[0-9a-f]{40}$/,
  }),
  stringLayout({
    id: "redlock4j-readers",
    label: "redlock4j readers",
    confidence: "possible",
    key: /:readers$/,
    value: /^(\d{1,9})$/,
    isLikely: ({ hasExpiry }) => hasExpiry,
    holder: (match) => `${match[1]} readers, by the client's own count`,
    refusal: "This is a counter of readers, not a lock: nobody can tell which of them it counts. Let it expire.",
  }),
  stringLayout({
    id: "npm-redis-lock",
    isOneServer: true,
    label: "redis-lock (npm)",
    confidence: "probable",
    key: /^lock\./,
    value: /^(\d{13})$/,
    holder: (match) => `until ${isoTime(Number(match[1]))} by its own clock`,
  }),
  stringLayout({
    id: "python-redis-lock",
    isOneServer: true,
    label: "python-redis-lock",
    confidence: "probable",
    key: /^lock:/,
    value: /^[A-Za-z0-9+/]{24}$/,
    wake: signal,
    waiters: signalWaiters,
  }),
];

/** Prefixes that say "lock" but not whose: asked only when the value tells nothing either. */
export const commonPrefixes: readonly Layout[] = [
  stringLayout({
    id: "lock-key",
    label: "a client with the prefix lock:",
    confidence: "possible",
    key: /^lock:/,
    // python-redis-lock lets its users choose the token, so it may be one; the signal is gone after a second.
    wake: signal,
  }),
  stringLayout({
    id: "redlock-prefix",
    label: "a client with the prefix redlock:",
    confidence: "possible",
    key: /^redlock:/,
  }),
];

function medusa(value?: RegExp) {
  const common = {
    label: "Medusa locking-redis",
    confidence: "certain",
    isOneServer: true,
    key: /^medusa_lock:/,
  } as const;
  return value === undefined ? common : { ...common, value };
}

/** What python-redis-lock leaves for those who wait in BLPOP. */
function signal(key: string): readonly ReleaseStep[] {
  return [{ kind: "signal", key: signalKey(key), item: "1", ttlMs: SIGNAL_MS }];
}

function signalWaiters(): WaiterProbe {
  return {
    sources: [{ kind: "blocked_clients" }],
    isComplete: true,
    note: "At most so many: the clients of one node that wait in a blocking command, for this lock or for anything else.",
    nameOf: () => null,
  };
}

function signalKey(key: string): string {
  return `lock-signal:${bytesOf(key).slice(LOCK_PREFIX.length)}`;
}
