import useSWR from "swr";
import type { Cluster } from "@/lib/contract";
import { type ApiError, asApiError } from "./api-error";
import { connectionStore, useConnection } from "./connection";
import { keys } from "./keys";
import { type Received, received } from "./received";
import { request } from "./request";

/** What a page knows of something it asked for. `staleBecause` says why what it shows may no longer be so. */
export type Loadable<Ready> =
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly error: ApiError }
  | ({ readonly kind: "ready"; readonly staleBecause: string | null } & Ready);

/** Nodes and quorum health. */
export function useCluster(): Loadable<{ readonly cluster: Received<Cluster> }> {
  const { data, error } = useSWR(keys.cluster, readCluster, { revalidateIfStale: false });
  const { staleBecause } = useConnection();
  if (data !== undefined) return { kind: "ready", cluster: data, staleBecause };
  return error === undefined ? { kind: "loading" } : { kind: "failed", error: asApiError(error) };
}

async function readCluster(path: string): Promise<Received<Cluster>> {
  const cluster = await request<Cluster>(path);
  connectionStore.heard();
  return received(cluster);
}
