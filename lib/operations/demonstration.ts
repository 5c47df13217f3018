import { AppError, type DemonstrationBody } from "@/lib/contract";
import { audited } from "./audited";
import type { OperationsContext } from "./context";

/**
 * Starts or stops the demonstration clients; without effect when they are as asked already.
 *
 * @throws AppError read_only, not_embedded
 */
export async function setDemonstration(context: OperationsContext, { running }: DemonstrationBody): Promise<void> {
  const { demonstration } = context;
  if (demonstration === null) {
    throw new AppError("not_embedded", "Demonstration clients work on the console's own cluster only, never on yours.");
  }
  const action = running ? "demonstration.started" : "demonstration.stopped";
  await audited(context, { action, target: "demonstration", details: {} }, async () => {
    await (running ? demonstration.start() : demonstration.stop());
    return { answer: undefined, outcome: running ? "started" : "stopped", details: {} };
  });
}
