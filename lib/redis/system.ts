import { randomBytes } from "node:crypto";
import { uptime } from "node:os";
import { asToken, type Clock, monotonicMs, type Random } from "@/lib/redlock";
import { awakeClock } from "./awake-clock";

/** 160 bits, as the Redis documentation asks: unguessable, and unique without any agreement. */
const TOKEN_BYTES = 20;

/** A call for random bytes costs more than the bytes: so many tokens are made of one. */
const POOL_TOKENS = 200;

const awakeNow = awakeClock({ monotonic: () => performance.now(), wall: Date.now, sinceBoot: () => uptime() * 1000 });

/** The real clock of this process; it counts the time the machine sleeps. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => monotonicMs(awakeNow()),
  schedule(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** The operating system's secure source for tokens; an ordinary one for delays. */
export const systemRandom: Random = {
  token: () => asToken(nextHex(TOKEN_BYTES)),
  fraction: () => Math.random(),
};

let pool = Buffer.alloc(0);
let poolAt = 0;

/** Bytes that are given out once, and wiped: what is left in the pool is of no token that is in use. */
function nextHex(bytes: number): string {
  if (poolAt + bytes > pool.length) {
    pool = randomBytes(POOL_TOKENS * bytes);
    poolAt = 0;
  }
  const hex = pool.toString("hex", poolAt, poolAt + bytes);
  pool.fill(0, poolAt, poolAt + bytes);
  poolAt += bytes;
  return hex;
}
