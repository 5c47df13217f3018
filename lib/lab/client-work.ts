import type { LabVote } from "@/lib/contract";
import { type ExtendOutcome, type Lock, LockLostError, type RedlockEngine } from "@/lib/redlock";
import type { AskedOf } from "./client-nodes";
import type { ClientAnswers, ClientHappening, WriteTask } from "./client-task";
import { nowUs } from "./intervals";
import { sendText } from "./raw-command";

const WRITE_WITHIN_MS = 2000;

/** What a job needs of its client. */
export interface WorkTools {
  readonly engine: RedlockEngine;
  readonly asked: AskedOf;
  tell(what: ClientHappening): void;
  votesOf(outcome: ExtendOutcome): Promise<readonly LabVote[]>;
}

/** Works in small steps under a lock that the engine keeps alive, and stops when it is lost or given back. */
export function work(
  { engine, asked, tell, votesOf }: WorkTools,
  lock: Lock,
  task: { id: string; ttlMs: number; stepMs: number },
) {
  const { id, ttlMs, stepMs } = task;
  const { signal } = lock;
  let [steps, lastStepUs] = [0, nowUs()];
  const step = (): void => {
    const startedUs = nowUs();
    // Asks the clock, not a timer: this is what a job does before each of its side effects.
    if (lock.remaining() === 0) return;
    steps += 1;
    lastStepUs = startedUs;
    setTimeout(step, stepMs);
  };
  step();
  signal.addEventListener("abort", () => {
    const text = signal.error instanceof LockLostError ? signal.error.message : "no reason was given";
    tell({ kind: "lost", id, atUs: nowUs(), text, steps, lastStepUs });
  });
  engine.keepAlive(lock, ttlMs, {
    onExtend: (outcome) => {
      const [askedUs, atUs] = [asked.extendUs, nowUs()];
      const untilUs = atUs + Math.floor(lock.remaining() * 1000);
      const healing = outcome.kind === "extended" ? [...outcome.healing] : [];
      void votesOf(outcome).then((votes) =>
        tell({ kind: "extended", id, askedUs, atUs, untilUs, outcome: outcome.kind, healing, votes }),
      );
    },
  });
}

/** Looks at the lock, works for a while, and then writes without or with another look. */
export async function write(lock: Lock, task: WriteTask, tell: WorkTools["tell"]): Promise<ClientAnswers["write"]> {
  const { id, client, port, value, isFenced, workMs, isCareful } = task;
  const look = (): boolean => {
    const remainingMs = lock.remaining();
    tell({ kind: "looked", id, atUs: nowUs(), remainingMs });
    return remainingMs > 0;
  };
  if (!look()) return { answer: null };
  await new Promise((resolve) => setTimeout(resolve, workMs));
  if (isCareful && !look()) return { answer: null };
  const fence = isFenced ? lock.fencingToken : null;
  return { answer: await sendText(port, `${client} ${fence ?? "-"} ${value}\r\n`, WRITE_WITHIN_MS) };
}
