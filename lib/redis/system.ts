import { randomBytes } from "node:crypto";
import { uptime } from "node:os";
import { asToken, type Clock, monotonicMs, type Random } from "@/lib/redlock";
import { awakeClock } from "./awake-clock";

/** 160 bits, as the Redis documentation asks: unguessable, and unique without any agreement. */
const TOKEN_BYTES = 20;

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
  token: () => asToken(randomBytes(TOKEN_BYTES).toString("hex")),
  fraction: () => Math.random(),
};
