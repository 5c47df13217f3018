import { mutate } from "swr";
import type {
  AcquireAnswer,
  AcquireBody,
  BootstrapAnswer,
  DrainAnswer,
  ExtendAnswer,
  FaultBody,
  ForceExpireAnswer,
  ForceExpireBody,
  HealQuery,
  ReleaseAnswer,
  RevokeAnswer,
  RevokeBody,
} from "@/lib/contract";
import { connectionStore } from "./connection";
import { type HeldLock, heldLocks } from "./held-locks";
import { keys } from "./keys";
import { request } from "./request";

// What a page may do. Each action asks again for exactly what it touched; all of them throw ApiError.

/** Tries to acquire; a refusal is an answer, not an error. A won lock is remembered in this tab. */
export async function acquireLock(body: AcquireBody): Promise<AcquireAnswer> {
  const answer = await request<AcquireAnswer>(keys.acquire, { method: "POST", body, extraTimeoutMs: body.waitMs });
  if (answer.lock !== null) {
    const { fencingToken: _, ...lock } = answer.lock;
    heldLocks.put({ ...lock, ttlMs: body.ttlMs, note: body.note ?? null, validFrom: performance.now() });
    refreshLocks([lock.id]);
  }
  return answer;
}

/** Gives a lock of this tab its full TTL again. */
export async function extendLock(lock: HeldLock): Promise<ExtendAnswer> {
  const body = { token: lock.token, ttlMs: lock.ttlMs, resources: lock.resources };
  const answer = await request<ExtendAnswer>(keys.lockVerb(lock.id, "extend"), { method: "POST", body });
  if (answer.outcome === "extended") {
    heldLocks.put({ ...lock, validityMs: answer.validityMs, validFrom: performance.now() });
  }
  refreshLocks([lock.id]);
  return answer;
}

/** Gives a lock of this tab back. The token is forgotten once it is certain that it opens nothing any more. */
export async function releaseLock(lock: HeldLock): Promise<ReleaseAnswer> {
  const body = { token: lock.token, resources: lock.resources };
  const answer = await request<ReleaseAnswer>(keys.lockVerb(lock.id, "release"), { method: "POST", body });
  if (answer.outcome !== "unknown") heldLocks.forget(lock.token);
  refreshLocks([lock.id]);
  return answer;
}

/** Deletes the token that was seen, on every node; with `dryRun` only says what would happen. */
export async function forceExpireLock(id: string, body: ForceExpireBody): Promise<ForceExpireAnswer> {
  const answer = await request<ForceExpireAnswer>(keys.lockVerb(id, "force-expire"), { method: "POST", body });
  if (!answer.dryRun) refreshLocks([id]);
  return answer;
}

/** Swaps the token that was seen for an operator's, keeping the remaining time; with `dryRun` only says what would happen. */
export async function revokeLock(id: string, body: RevokeBody): Promise<RevokeAnswer> {
  const answer = await request<RevokeAnswer>(keys.lockVerb(id, "revoke"), { method: "POST", body });
  if (!answer.dryRun) refreshLocks([id]);
  return answer;
}

/** Does a fault to an embedded node. */
export async function setFault(node: string, fault: FaultBody["fault"]): Promise<void> {
  await request(keys.faults(node), { method: "POST", body: { fault } });
  refreshCluster();
}

/** Starts, resumes, reconnects. @param data `empty`: the node starts having forgotten its votes */
export async function healFault(node: string, data: HealQuery["data"] = "keep"): Promise<void> {
  await request(`${keys.faults(node)}?data=${data}`, { method: "DELETE" });
  refreshCluster();
}

/** Lets every node vote at once, on the operator's word that no lock can be held now. */
export async function bootstrapCluster(reason: string): Promise<BootstrapAnswer> {
  const answer = await request<BootstrapAnswer>(keys.bootstrap, { method: "POST", body: { reason } });
  refreshCluster();
  return answer;
}

/** Takes a node out of the votes for a planned restart. */
export async function drainNode(node: string, reason: string): Promise<DrainAnswer> {
  const answer = await request<DrainAnswer>(keys.drain(node), { method: "POST", body: { reason } });
  refreshCluster();
  return answer;
}

/** Puts a drained node back: at once if this console drained it, else it waits for a quarantine. */
export async function undrainNode(node: string): Promise<DrainAnswer> {
  const answer = await request<DrainAnswer>(keys.drain(node), { method: "DELETE" });
  refreshCluster();
  return answer;
}

/** Starts or stops the demonstration clients of the embedded cluster. */
export async function setDemonstration(isRunning: boolean): Promise<void> {
  await request(keys.demonstration, { method: "POST", body: { running: isRunning } });
  refreshCluster();
}

/** Asks again for one lock as the nodes have it now. */
export function refreshLock(id: string): Promise<unknown> {
  return mutate(keys.lock(id));
}

/** Asks again for locks that an action touched. Inside lib/client only: a component has no reason to. */
export function refreshLocks(ids: readonly string[]): void {
  for (const id of ids) void mutate(keys.lock(id));
  void mutate(keys.audit);
  // The stream brings the list's change by itself; fetching it too could only race with that.
  if (connectionStore.get().state !== "live") void mutate(keys.locks);
}

function refreshCluster(): void {
  void mutate(keys.cluster);
  void mutate(keys.audit);
  if (connectionStore.get().state !== "live") void mutate(keys.locks);
}
