import useSWR, { mutate } from "swr";
import type { Lab, LabRun, LabRunBody } from "@/lib/contract";
import { asApiError } from "./api-error";
import { useConnection } from "./connection";
import { keys } from "./keys";
import { request } from "./request";
import type { Loadable } from "./use-cluster";

/** Somebody else may start a run; a run that is on grows quickly. */
const LAB_EVERY_MS = 3000;
const RUN_EVERY_MS = 400;

/** The scenarios, whether they can be played, and the last run. */
export function useLab(): Loadable<{ readonly lab: Lab }> {
  const { data, error } = useSWR<Lab>(keys.lab, request<Lab>, { refreshInterval: LAB_EVERY_MS });
  const { staleBecause } = useConnection();
  if (data !== undefined) return { kind: "ready", lab: data, staleBecause };
  return error === undefined ? { kind: "loading" } : { kind: "failed", error: asApiError(error) };
}

/** The record of a run so far; null while there is none to show. */
export function useLabRun(id: string | null): LabRun | null {
  const { data } = useSWR<LabRun>(id === null ? null : keys.labRun(id), request<LabRun>, {
    refreshInterval: (run) => (run === undefined || isRunOn(run) ? RUN_EVERY_MS : 0),
    keepPreviousData: false,
  });
  return data ?? null;
}

/** Whether the run still goes on. */
export function isRunOn({ state }: Pick<LabRun, "state">): boolean {
  return state === "starting" || state === "playing";
}

/** Plays a scenario. @throws ApiError */
export async function startLabRun(body: LabRunBody): Promise<void> {
  const run = await request<LabRun>(keys.labRuns, { method: "POST", body });
  await mutate(keys.labRun(run.id), run, { revalidate: false });
  await mutate(keys.lab);
}

/** Ends a run and everything it has started. @throws ApiError */
export async function stopLabRun(id: string): Promise<void> {
  const run = await request<LabRun>(keys.labRun(id), { method: "DELETE" });
  await mutate(keys.labRun(id), run, { revalidate: false });
  await mutate(keys.lab);
}
