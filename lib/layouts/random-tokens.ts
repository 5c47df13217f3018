import { type Bytes, bytesOf } from "./bytes";
import { type Layout, stringLayout } from "./layout";
import { isoTime, uuid1Ms } from "./times";

// Clients whose value is nothing but a random token: the shape of the value is all there is to go by, and several share one.

const YEAR_MS = 365.25 * 86_400_000;
/** A token that reads as a time outside of these years is a random one that happens to have the digits of a version 1 UUID. */
const [UUID1_FROM_MS, UUID1_TO_MS] = [45 * YEAR_MS, 75 * YEAR_MS];

/** Random tokens in hexadecimal digits: node-redlock and its relatives, this engine, redlock4j. */
export const hexTokens: readonly Layout[] = [
  stringLayout({
    id: "redis-py",
    isOneServer: true,
    label: "redis-py Lock",
    confidence: "probable",
    // A version 1 UUID without dashes: the version digit 1 stands at position 13, the variant digit at 17.
    value: /^[0-9a-f]{12}1[0-9a-f]{3}[89ab][0-9a-f]{15}$/,
    isLikely: ({ value }) => uuid1Ms(value) > UUID1_FROM_MS && uuid1Ms(value) < UUID1_TO_MS,
    holder: ([value]) => `host with address ${macOf(value)}, since ${isoTime(uuid1Ms(value))}`,
  }),
  stringLayout({
    id: "redlock4j",
    label: "this engine or redlock4j (Java)",
    confidence: "probable",
    value: /^[0-9a-f]{40}$/,
    // Its fair lock keeps who waits beside the lock, the holder among them.
    wake: (key, value) => [{ kind: "remove", key: `${bytesOf(key)}:queue`, element: value }],
    waiters: (key) => ({
      sources: [
        { kind: "sorted_set", key: `redlock:{guard}:queue:${bytesOf(key)}` },
        { kind: "sorted_set", key: `${bytesOf(key)}:queue` },
      ],
      isComplete: false,
      note: "Seen in the queue of a fair lock, of this library or of redlock4j; other clients leave no trace while they wait.",
      nameOf: ownWaiter,
    }),
  }),
  stringLayout({
    id: "redlock-hex",
    label: "node-redlock or compatible",
    confidence: "probable",
    value: /^[0-9a-f]{32}$/,
  }),
];

/** Random tokens in base64 and other alphabets: redsync, bsm/redislock, @redis-kit/lock, redlock-py, old Symfony, rslock. */
export const alphabetTokens: readonly Layout[] = [
  stringLayout({ id: "redsync", label: "redsync (Go)", confidence: "probable", value: /^[A-Za-z0-9+/]{22}==$/ }),
  stringLayout({
    id: "redlock-py",
    label: "redlock-py or @redis-kit/lock",
    confidence: "possible",
    value: /^[A-Za-z0-9]{22}$/,
  }),
  stringLayout({ id: "redis-kit", label: "@redis-kit/lock", confidence: "probable", value: /^[A-Za-z0-9+/]{22}$/ }),
  stringLayout({
    id: "bsm-redislock",
    isOneServer: true,
    label: "bsm/redislock (Go)",
    confidence: "possible",
    value: /^[\w-]{22}$/,
  }),
  stringLayout({
    id: "symfony-string",
    label: "Symfony Lock before 5.2",
    confidence: "probable",
    value: /^[A-Za-z0-9+/]{43}=$/,
  }),
  stringLayout({
    id: "rslock",
    label: "rslock (Rust)",
    confidence: "possible",
    // Twenty raw bytes: at least one of them is not printable ASCII, or it would be a word of twenty letters.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the token is bytes, not text.
    value: /^(?=.*[\u0000-\u001f\u007f-\u00ff]).{20}$/s,
  }),
];

/** UUID tokens, shared by half a dozen clients. */
export const uuidTokens: readonly Layout[] = [
  stringLayout({
    id: "redlock-uuid",
    label: "a UUID client (redis-semaphore, ioredis-lock, redlock-rb, aioredlock, Spring)",
    confidence: "possible",
    value: /^[0-9a-f]{8}-[0-9a-f]{4}-[1-7][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i,
    wake: (key) => springChannels(key).map((channel) => ({ kind: "publish", channel, message: bytesOf(key) })),
    waiters(key) {
      const channels = springChannels(key);
      if (channels.length === 0) return null;
      return {
        sources: channels.map((channel) => ({ kind: "subscribers", channel })),
        isComplete: false,
        note: "Listeners of Spring's registry: its processes wait for this lock or another of the registry. Other clients leave no trace.",
        nameOf: () => null,
      };
    },
  }),
];

/**
 * Where Spring Integration's lock registry listens when it was set to wait by pub/sub: one channel for the whole registry, or
 * one per lock, by version. Nobody else listens there, so a message too many does no harm.
 */
function springChannels(key: string): readonly string[] {
  const own = bytesOf(key);
  const registry = own.split(":", 1)[0] ?? "";
  return registry === own ? [] : [`${registry}-channel`, `${registry}-channel:${own}`];
}

/** A waiter of this library, by the client it belongs to; its score is when it began to wait, by the nodes' clocks. */
function ownWaiter(entry: Bytes, since: number | null): string | null {
  const [, client, number] = /^([0-9a-f]{8})[0-9a-f]{8}-(\d+)$/.exec(entry) ?? [];
  return client === undefined ? null : `client ${client}, wait ${number}, since ${isoTime(since ?? Number.NaN)}`;
}

function macOf(value: string): string {
  return (value.slice(20).match(/../g) ?? []).join(":");
}
