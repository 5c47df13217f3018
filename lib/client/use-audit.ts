import useSWR from "swr";
import type { AuditEntry, AuditList } from "@/lib/contract";
import { asApiError } from "./api-error";
import { useConnection } from "./connection";
import { keys } from "./keys";
import { request } from "./request";
import type { Loadable } from "./use-cluster";

/** The latest actions, newest first: outcomes, and intents whose outcome is not known. */
export function useAudit(): Loadable<{ readonly entries: readonly AuditEntry[] }> {
  const { data, error } = useSWR<AuditList>(keys.audit, request<AuditList>);
  const { staleBecause } = useConnection();
  if (data !== undefined) return { kind: "ready", entries: withoutAnswered(data.entries), staleBecause };
  return error === undefined ? { kind: "loading" } : { kind: "failed", error: asApiError(error) };
}

/** An intent that has its outcome says nothing more; one without it must be seen. */
function withoutAnswered(entries: readonly AuditEntry[]): readonly AuditEntry[] {
  const answered = new Set(entries.filter(({ phase }) => phase === "outcome").map((entry) => entry.correlationId));
  return entries.filter(({ phase, correlationId }) => phase === "outcome" || !answered.has(correlationId));
}
