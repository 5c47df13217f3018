import { type Attempt, type AttemptRequest, attemptAcquire } from "./attempt";
import type { Engine } from "./engine";
import { timeLimitMs } from "./options";
import type { Refusal } from "./outcomes";
import { pause } from "./pause";
import type { ReleaseRequest } from "./ports";
import { Stand } from "./stand";
import type { Place } from "./waiting-line";

/** A timer may run so much too early. */
const TIMER_MS = 1;

export interface AcquireCall extends AttemptRequest {
  /** Monotonic time after which no attempt may end; infinite without one. */
  readonly waitUntil: number;
}

/** How a series of attempts ended; `last` is the only one that is remembered, so that endless retries cost no memory. */
export type Acquired =
  | {
      readonly kind: "won";
      readonly attempts: number;
      readonly last: Extract<Attempt, { readonly kind: "won" }>;
      /** Of a fair lock: what its release takes out of the queues. */
      readonly queue?: ReleaseRequest["queue"];
    }
  | { readonly kind: "lost"; readonly attempts: number; readonly last: Attempt | null; readonly refusal: Refusal };

/** Attempts until one wins or the limit, the deadline or the signal ends it. */
export function acquireWithRetries(engine: Engine, call: AcquireCall): Promise<Acquired> {
  const { fair, retryCount } = call.settings;
  return retryCount === 0 && !fair ? tryOnce(engine, call) : tryInLine(engine, call);
}

async function tryInLine(engine: Engine, call: AcquireCall): Promise<Acquired> {
  const { fair } = call.settings;
  const place = engine.lines.join(call.resources);
  const stand = fair ? new Stand(engine, call, place) : undefined;
  let acquired: Acquired | null = null;
  try {
    acquired = await retry(engine, { ...call, stand }, place);
    return acquired;
  } finally {
    if (acquired?.kind === "won") stand?.close();
    else stand?.leave();
    place.leave();
  }
}

async function tryOnce(engine: Engine, call: AcquireCall): Promise<Acquired> {
  if (call.signal?.aborted) return { kind: "lost", attempts: 0, last: null, refusal: "aborted" };
  const last = await attemptAcquire(engine, call);
  if (last.kind === "won") return { kind: "won", attempts: 1, last };
  return { kind: "lost", attempts: 1, last, refusal: last.refusal };
}

async function retry(engine: Engine, call: AcquireCall, place: Place): Promise<Acquired> {
  const { retryCount } = call.settings;
  const attemptMs = timeLimitMs(engine.nodeTimeoutMs, call.ttlMs);
  let last: Attempt | null = null;
  let isLastInTime = false;
  for (let attempts = 1; ; attempts += 1) {
    const lost = (refusal: Refusal): Acquired => ({ kind: "lost", attempts, last, refusal });
    if (call.signal?.aborted) return { kind: "lost", attempts: attempts - 1, last, refusal: "aborted" };
    const isLastByCount = retryCount >= 0 && attempts > retryCount;
    // Nobody is refused without a try of its own, so the last one is made from any place in the line.
    if (place.isFirst() || isLastByCount || isLastInTime) {
      place.takeWake();
      last = await attemptAcquire(engine, call);
      if (last.kind === "won") return { kind: "won", attempts, last, queue: call.stand?.ticket };
      if (last.refusal === "aborted") return lost("aborted");
      if (isLastByCount) return lost(last.refusal);
    }
    const leftMs = call.waitUntil - engine.clock.now() - attemptMs;
    if (isLastInTime || (leftMs <= 0 && last !== null)) return lost("deadline");
    const delayMs = call.stand?.delayMs(last) ?? retryDelayMs(engine, call);
    await pause(engine.clock, Math.max(0, Math.min(delayMs, leftMs)), { signal: call.signal, place });
    // A wake-up before its time leaves time for another one.
    isLastInTime = delayMs >= leftMs && engine.clock.now() >= call.waitUntil - attemptMs - TIMER_MS;
  }
}

/** Random, so that two contenders do not stay in step and split the nodes between them for ever. At least 1: never a hot loop. */
function retryDelayMs({ random }: Engine, { settings }: AcquireCall): number {
  return Math.max(1, settings.retryDelay + (random.fraction() * 2 - 1) * settings.retryJitter);
}
