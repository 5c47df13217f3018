import { AppError, type AuditEntry } from "@/lib/contract";
import { ACTOR_WITHOUT_LOGIN, type OperationsContext } from "./context";

/** Everything the record can speak of: noun and past verb. */
export type ActionName =
  | "lock.acquired"
  | "lock.extended"
  | "lock.released"
  | "lock.force_expired"
  | "lock.revoked"
  | "node.faulted"
  | "node.healed"
  | "node.drained"
  | "node.undrained"
  | "cluster.bootstrapped"
  | "demonstration.started"
  | "demonstration.stopped"
  | "lab.started"
  | "lab.stopped"
  | "lab.taken_over";

/** What is about to be done. `details` must not hold a token, only its fingerprint. */
export interface Intent {
  readonly action: ActionName;
  /** The resource, or the node. */
  readonly target: string;
  readonly reason?: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** What came of it. */
export interface Acted<Answer> {
  readonly answer: Answer;
  readonly outcome: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** @throws AppError read_only */
export function guardWrite({ isReadOnly }: OperationsContext): void {
  if (isReadOnly) throw new AppError("read_only", "This console is read-only: REDLOCK_READ_ONLY is set.");
}

/**
 * Does something on record: intent, act, outcome, under one correlation id.
 *
 * @throws AppError read_only, or internal when the intent cannot be written: nothing is done then
 */
export async function audited<Answer>(
  context: OperationsContext,
  intent: Intent,
  act: () => Promise<Acted<Answer>>,
): Promise<Answer> {
  guardWrite(context);
  const common = {
    correlationId: context.newId(),
    actor: ACTOR_WITHOUT_LOGIN,
    action: intent.action,
    target: intent.target,
    reason: intent.reason ?? null,
  };
  await writeIntent(context, entryOf(context, { ...common, phase: "intent", outcome: null, details: intent.details }));
  try {
    const { answer, outcome, details } = await act();
    await writeOutcome(context, entryOf(context, { ...common, phase: "outcome", outcome, details }));
    return answer;
  } catch (error) {
    const outcome = AppError.is(error) ? `refused: ${error.code}` : "failed";
    await writeOutcome(context, entryOf(context, { ...common, phase: "outcome", outcome, details: intent.details }));
    throw error;
  }
}

function entryOf({ newId, wallClock }: OperationsContext, entry: Omit<AuditEntry, "id" | "at">): AuditEntry {
  return { id: newId(), at: Math.round(wallClock()), ...entry };
}

async function writeIntent({ audit }: OperationsContext, entry: AuditEntry): Promise<void> {
  try {
    await audit.append(entry);
  } catch (cause) {
    throw new AppError("internal", "The action could not be recorded, so nothing was done.", { cause });
  }
}

/** A failure here cannot undo the act: it is reported, and the sender still gets the truth about what was done. */
async function writeOutcome({ audit, onAction, onAuditFailure }: OperationsContext, entry: AuditEntry): Promise<void> {
  try {
    await audit.append(entry);
  } catch (error) {
    onAuditFailure(error);
  }
  onAction(entry);
}
