import { AppError, type FaultBody, type HealQuery } from "@/lib/contract";
import type { Master } from "@/lib/redis";
import { audited } from "./audited";
import type { FaultPort, OperationsContext } from "./context";

/**
 * Does a real fault to one embedded node.
 *
 * @throws AppError read_only, not_embedded, not_found
 */
export async function setFault(context: OperationsContext, node: string, { fault }: FaultBody): Promise<void> {
  const { faults, master } = embeddedNode(context, node);
  const intent = { action: "node.faulted", target: node, details: { fault } } as const;
  await audited(context, intent, async () => {
    await faults.apply(master.id, fault);
    await master.probe();
    return { answer: undefined, outcome: fault, details: { fault } };
  });
}

/**
 * Undoes every fault of one embedded node.
 *
 * @throws AppError read_only, not_embedded, not_found
 */
export async function healFault(context: OperationsContext, node: string, query: HealQuery): Promise<void> {
  const { faults, master } = embeddedNode(context, node);
  await audited(context, { action: "node.healed", target: node, details: { ...query } }, async () => {
    await faults.heal(master.id, query);
    await master.probe();
    return { answer: undefined, outcome: "healed", details: { ...query } };
  });
}

function embeddedNode(
  { faults, masters }: OperationsContext,
  node: string,
): { readonly faults: FaultPort; readonly master: Master } {
  if (faults === null) {
    throw new AppError("not_embedded", "These masters are not the console's own, so it does not stop or slow them.");
  }
  const master = masters.find(({ id }) => id === node);
  if (master === undefined) throw new AppError("not_found", `There is no node named ${node}.`);
  return { faults, master };
}
