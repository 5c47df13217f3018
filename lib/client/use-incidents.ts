import useSWR from "swr";
import type { IncidentList } from "@/lib/contract";
import { asApiError } from "./api-error";
import { useConnection } from "./connection";
import { keys } from "./keys";
import { request } from "./request";
import type { Loadable } from "./use-cluster";

/** Second holders that the console has noticed, newest first. */
export function useIncidents(): Loadable<{ readonly list: IncidentList }> {
  const { data, error } = useSWR<IncidentList>(keys.incidents, request<IncidentList>);
  const { staleBecause } = useConnection();
  if (data !== undefined) return { kind: "ready", list: data, staleBecause };
  return error === undefined ? { kind: "loading" } : { kind: "failed", error: asApiError(error) };
}
