import { randomBytes } from "node:crypto";
import { asToken, type Clock, monotonicMs, type Random } from "@/lib/redlock";

/** 160 bits, as the Redis documentation asks: unguessable, and unique without any agreement. */
const TOKEN_BYTES = 20;

/** The real clock of this process. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => monotonicMs(performance.now()),
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
