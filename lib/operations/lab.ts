import { AppError, type LabAudience, type LabRun, type LabRunBody } from "@/lib/contract";
import { audited } from "./audited";
import type { OperationsContext } from "./context";

/**
 * Starts a run of the Quorum Lab, on processes of its own.
 *
 * @throws AppError read_only, forbidden, lab_busy, lab_unavailable, invalid_request
 */
export function startLabRun(context: OperationsContext, body: LabRunBody): Promise<LabRun> {
  const { viewer: _, ...details } = body;
  const intent = { action: "lab.started", target: body.scenario, details } as const;
  return audited(context, intent, async () => {
    const answer = await context.lab.start(body);
    return { answer, outcome: "started", details: { run: answer.id, seed: answer.seed, n: answer.n } };
  });
}

/**
 * Ends a run and everything it has started.
 *
 * @param viewer the page that asks; where another one drives, it is refused
 * @throws AppError read_only, not_found, lab_busy
 */
export function stopLabRun(context: OperationsContext, id: string, viewer: string | null): Promise<LabRun> {
  const run = context.lab.run(id);
  if (!isOn(run)) throw new AppError("not_found", "This run is over, and everything it had started has ended.");
  return audited(context, { action: "lab.stopped", target: run.scenario, details: { run: id } }, async () => {
    const answer = await context.lab.stop(id, viewer);
    return { answer, outcome: answer.state, details: { run: id } };
  });
}

/**
 * Makes a page the driver of a run.
 *
 * @throws AppError read_only, not_found
 */
export function takeOverLabRun(context: OperationsContext, id: string, viewer: string): Promise<LabAudience> {
  const { scenario } = context.lab.run(id);
  return audited(context, { action: "lab.taken_over", target: scenario, details: { run: id } }, async () => {
    return { answer: context.lab.takeOver(id, viewer), outcome: "taken over", details: { run: id } };
  });
}

function isOn({ state }: LabRun): boolean {
  return state === "starting" || state === "playing";
}
