import type { AuditEntry } from "@/lib/contract";

/** A token that an operator took away. */
export interface ForcedAction {
  readonly resource: string;
  readonly fingerprint: string;
  /** Where it was done. */
  readonly nodes: readonly string[];
  readonly at: number;
  readonly text: string;
}

const ACTIONS_MAX = 500;

/** Remembers which tokens operators took away through this console. */
export class ForcedActions {
  readonly #actions: ForcedAction[] = [];

  note({ action, phase, target, details, at, actor, reason }: AuditEntry): void {
    const isForced = action === "lock.force_expired";
    if (phase !== "outcome" || !(isForced || action === "lock.revoked")) return;
    const { fingerprint, nodes } = readDetails(details);
    if (fingerprint === null || nodes.length === 0) return;
    const why = reason === null ? "" : `: “${reason}”`;
    const text = `${isForced ? "Force-expired" : "Revoked"} by ${actor} through this console${why}.`;
    this.#actions.push({ resource: target, fingerprint, nodes, at, text });
    if (this.#actions.length > ACTIONS_MAX) this.#actions.shift();
  }

  isAbout(resource: string): boolean {
    return this.#actions.some((action) => action.resource === resource);
  }

  find(resource: string, fingerprint: string): readonly ForcedAction[] {
    return this.#actions.filter((action) => action.resource === resource && action.fingerprint === fingerprint);
  }
}

/** The nodes on which the token was deleted or swapped, out of what the record says. */
function readDetails(details: unknown): { readonly fingerprint: string | null; readonly nodes: readonly string[] } {
  const { fingerprint, nodes } = isObject(details) ? details : {};
  const changed = (Array.isArray(nodes) ? nodes : []).flatMap((entry: unknown) =>
    isObject(entry) && typeof entry.node === "string" && (entry.result === "deleted" || entry.result === "revoked")
      ? [entry.node]
      : [],
  );
  return { fingerprint: typeof fingerprint === "string" ? fingerprint : null, nodes: changed };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
