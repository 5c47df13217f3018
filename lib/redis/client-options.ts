import type { RedisOptions } from "ioredis";

/** A lost SYN is sent again after one second; this allows for one. Nobody waits for it: without a connection votes are instant. */
const CONNECT_TIMEOUT_MS = 2000;

/** A connection that is given up gets this long to hand its last bytes to the kernel. */
const DISCONNECT_TIMEOUT_MS = 500;

/**
 * How ioredis must behave for locks: a command is sent at once or never, at most once, and its caller hears of it.
 *
 * Each line has a fault behind it that was reproduced (`safety.md`, 1.3). `retryStrategy` is added per connection, by
 * `Connection`, which knows when a connection was good.
 */
export const SAFE_OPTIONS = {
  // A queue would execute an acquire after its caller gave up, when the node comes back: a ghost lock.
  enableOfflineQueue: false,
  // A resent SET NX meets its own key and reads as "somebody else holds it".
  autoResendUnfulfilledCommands: false,
  // Without it the promise of a command whose reply was lost never settles.
  maxRetriesPerRequest: 0,
  // No command is sent again because the server answered an error.
  reconnectOnError: null,
  // Nothing is subscribed on these connections; what a caller's own client had subscribed does not move over.
  autoResubscribe: false,
  // Batching would delay a vote for the sake of throughput.
  enableAutoPipelining: false,
  // Hides LOADING behind a wait of seconds; we want the server's own words as the vote.
  enableReadyCheck: false,
  // A timed-out command stays in the server's queue and is executed all the same, but ioredis would call it failed: the engine
  // and `Connection` watch the time instead, and the release goes behind the command on the same connection.
  commandTimeout: undefined,
  // The same: `Connection` ends a silent connection by itself, later, and knows what was in flight.
  socketTimeout: undefined,
  connectTimeout: CONNECT_TIMEOUT_MS,
  disconnectTimeout: DISCONNECT_TIMEOUT_MS,
  // Finds a peer that vanished while nothing was sent; the probe finds it sooner.
  keepAlive: 10_000,
  noDelay: true,
  // CLIENT SETINFO is an error on servers before 7.2, counted in their error statistics for every connection.
  disableClientInfo: true,
  // RESP2: needs no HELLO, so works back to Redis 5 with one round trip less, and nothing here uses a RESP3 type.
  protocol: 2,
  replyMapping: "legacy",
  stringNumbers: false,
  lazyConnect: false,
  readOnly: false,
  monitor: false,
} as const satisfies RedisOptions;
