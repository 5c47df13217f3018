import { AppError, type BootstrapAnswer, type BootstrapBody } from "@/lib/contract";
import type { BootstrapAnswer as NodeAnswer } from "@/lib/redis";
import { describeVote } from "@/lib/redlock";
import { audited } from "./audited";
import type { OperationsContext } from "./context";

/**
 * Lets every master vote at once, on the operator's word that no lock can be held now. For the first use of fresh masters, and
 * after a change of their list; while locks are held it can let two clients hold one.
 *
 * @throws AppError read_only, guard_off
 */
export function bootstrap(context: OperationsContext, { reason }: BootstrapBody): Promise<BootstrapAnswer> {
  const { masters } = context;
  if (!context.isGuarded) {
    throw new AppError("guard_off", "No restart guard is in use, so no node waits: REDLOCK_GUARD=full switches it on.");
  }
  const intent = { action: "cluster.bootstrapped", target: "cluster", reason, details: {} } as const;
  return audited(context, intent, async () => {
    const nodes = await Promise.all(
      masters.map(async (master) => ({ node: master.id, ...resultOf(await master.bootstrap()) })),
    );
    const admitted = nodes.filter((node) => node.admitted).length;
    return { answer: { nodes }, outcome: `admitted ${admitted} of ${nodes.length}`, details: { nodes } };
  });
}

function resultOf(answer: NodeAnswer): Pick<BootstrapAnswer["nodes"][number], "admitted" | "reason"> {
  return answer.kind === "done" ? { admitted: true, reason: null } : { admitted: false, reason: describeVote(answer) };
}
