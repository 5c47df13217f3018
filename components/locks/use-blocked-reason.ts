import { useCluster } from "@/lib/client";

/** Why nothing may be changed now: a read-only console, or data too old to decide on. Null when acting is fine. */
export function useBlockedReason(): string | null {
  const cluster = useCluster();
  if (cluster.kind !== "ready") return null;
  if (cluster.cluster.value.readOnly) return "this console is read-only";
  return cluster.staleBecause === null ? null : `what you see is old: ${cluster.staleBecause}`;
}
