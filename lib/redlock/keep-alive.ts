import type { Engine } from "./engine";
import type { LockLostError } from "./errors";
import { extendWithRetries } from "./extension";
import type { Holding } from "./holding";
import type { ExtendOutcome } from "./outcomes";

/** A lock that is extended by itself until it is stopped, released, lost or capped. */
export interface KeepAlive {
  /** Extends no more; the lock lives out its validity unless it is released. */
  stop(): void;
}

export interface KeepAliveOptions {
  /** Called once when the lock is lost, never on a release. */
  readonly onLost?: (loss: LockLostError) => void;
  /** Called after each extension, with its outcome. */
  readonly onExtend?: (outcome: ExtendOutcome) => void;
}

/** Extends `holding` to `ttlMs` well before each end of its validity. Never rejects anywhere: a loss goes to the signal. */
export function keepExtending(engine: Engine, holding: Holding, ttlMs: number, options: KeepAliveOptions): KeepAlive {
  let isStopped = false;
  let cancelTimer = (): void => {};
  const stop = (): void => {
    isStopped = true;
    cancelTimer();
  };
  const extend = async (): Promise<void> => {
    const call = { key: holding, holding, ttlMs, settings: holding.settings, retryCount: -1 };
    const outcome = await extendWithRetries(engine, call, () => isStopped);
    options.onExtend?.(outcome);
    if (outcome.kind === "extended" && !isStopped) arm();
  };
  const arm = (): void => {
    cancelTimer = engine.clock.schedule(untilRenewalMs(holding, ttlMs), () => {
      // What fails here is a bug or a listener's fault: the lock then simply ends in time, and its signal says so.
      extend().catch(() => {});
    });
  };
  // Without a timer of its own a black-holed holder would never hear of the end of its validity.
  holding.watch();
  holding.onEnd((loss) => {
    stop();
    if (loss !== null) options.onLost?.(loss);
  });
  if (!isStopped) arm();
  return { stop };
}

/** With at least a third and at most half of the validity in hand, so that a failed extension leaves time for others. */
function untilRenewalMs(holding: Holding, ttlMs: number): number {
  const wantedMs = Math.max(holding.settings.automaticExtensionThreshold, ttlMs / 3);
  const reserveMs = Math.min(wantedMs, ttlMs / 2);
  return Math.max(1, holding.remaining() - reserveMs);
}
