import type { AcquireOutcome, ExtendOutcome, ReleaseOutcome } from "./outcomes";

/** Something an engine did, for logs and metrics. Contention is a normal outcome and no error. */
export type EngineEvent = { readonly resources: readonly string[] } & (
  | { readonly kind: "acquire"; readonly outcome: AcquireOutcome<unknown>["kind"]; readonly attempts: number }
  | { readonly kind: "extend"; readonly outcome: ExtendOutcome["kind"] }
  | { readonly kind: "release"; readonly outcome: ReleaseOutcome["kind"] }
);

/** Passes an event on; without a listener nothing happens, and a faulty listener is not the lock's fault. */
export function notify(listener: ((event: EngineEvent) => void) | undefined, event: EngineEvent): void {
  try {
    listener?.(event);
  } catch {
    // An observer must not be able to break a lock: not even its error may reach the caller who holds one.
  }
}
