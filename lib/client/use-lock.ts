import useSWR from "swr";
import type { LockDetail } from "@/lib/contract";
import { asApiError } from "./api-error";
import { useConnection } from "./connection";
import { keys } from "./keys";
import { type Received, received } from "./received";
import { request } from "./request";
import { useWatchedLock } from "./stream-target";
import type { Loadable } from "./use-cluster";

/** The stream says when the lock changed; in between only round trips and the state of the nodes do. */
const REFRESH_MS = 5000;
const REFRESH_WHILE_POLLING_MS = 2000;

/**
 * One lock on every node, also a free one.
 *
 * @param id percent-encoded, as every lock carries it
 */
export function useLock(
  id: string,
): Loadable<{ readonly lock: Received<LockDetail>; readonly refresh: () => Promise<unknown> }> {
  useWatchedLock(id);
  const { state, staleBecause } = useConnection();
  const { data, error, mutate } = useSWR(keys.lock(id), readLock, {
    refreshInterval: state === "live" ? REFRESH_MS : REFRESH_WHILE_POLLING_MS,
  });
  if (data !== undefined) {
    const failure = error === undefined ? null : asApiError(error).message;
    return { kind: "ready", lock: data, refresh: () => mutate(), staleBecause: staleBecause ?? failure };
  }
  return error === undefined ? { kind: "loading" } : { kind: "failed", error: asApiError(error) };
}

async function readLock(path: string): Promise<Received<LockDetail>> {
  return received(await request<LockDetail>(path));
}
