import { describeBallots, describeFailure } from "./describe";
import type { AcquireOutcome, ExtendOutcome } from "./outcomes";

type FailedAcquire = Extract<AcquireOutcome<unknown>, { readonly kind: "not_acquired" }>;
type FailedExtend = Exclude<ExtendOutcome, { readonly kind: "extended" }>;

/** An operation did not reach a quorum. The message lists each node's answer; `outcome` has them as data. */
export class ExecutionError extends Error {
  override readonly name: string = "ExecutionError";
  /** Null when no node was asked. */
  readonly outcome: FailedAcquire | FailedExtend | null;

  constructor(
    message: string,
    outcome: FailedAcquire | FailedExtend | null,
    options: { readonly cause?: unknown } = {},
  ) {
    super(message, options);
    this.outcome = outcome;
  }
}

/** Others hold the resource, on so many nodes that no majority can be had. */
export class ResourceLockedError extends ExecutionError {
  override readonly name = "ResourceLockedError";
}

/** The lock is no longer held: its validity has ended, or a majority of nodes said so, or it was released. */
export class LockLostError extends ExecutionError {
  override readonly name = "LockLostError";
}

/** @param cause the reason of the signal, when that ended the waiting */
export function acquireError(resources: readonly string[], outcome: FailedAcquire, cause?: unknown): ExecutionError {
  const message = describeFailure(resources, outcome);
  const count = (isCounted: (kind: string) => boolean): number =>
    outcome.ballots.filter(({ vote }) => isCounted(vote.kind)).length;
  // A deadline says nothing about the reason for waiting; the votes do.
  const areOthersInTheWay =
    count((kind) => kind === "refused") >
    count((kind) => kind !== "refused" && kind !== "granted" && kind !== "pending");
  const isLocked = outcome.refusal === "held_by_other" || (outcome.refusal === "deadline" && areOthersInTheWay);
  return isLocked ? new ResourceLockedError(message, outcome) : new ExecutionError(message, outcome, { cause });
}

export function extendError(resources: readonly string[], outcome: FailedExtend): ExecutionError {
  const names = resources.join(", ");
  switch (outcome.kind) {
    case "lost":
      return new LockLostError(`lost ${names} (${describeBallots(outcome.ballots)})`, outcome);
    case "unknown":
      return new ExecutionError(`could not extend ${names} (${describeBallots(outcome.ballots)})`, outcome);
    case "capped":
      return new ExecutionError(`${names} has been extended as often or as long as allowed`, outcome);
    default:
      return outcome satisfies never;
  }
}
