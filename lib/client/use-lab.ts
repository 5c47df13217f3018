import useSWR from "swr";
import type { Lab, LabAudience, LabRun, LabRunBody } from "@/lib/contract";
import { asApiError } from "./api-error";
import { useConnection } from "./connection";
import { keys } from "./keys";
import { labViewer } from "./lab-viewer";
import { request } from "./request";
import type { Loadable } from "./use-cluster";

/** What it waits for is an install or a build: nothing that happens within seconds. */
const LAB_EVERY_MS = 10_000;

/** The scenarios, and whether they can be played. */
export function useLab(): Loadable<{ readonly lab: Lab }> {
  const { data, error } = useSWR<Lab>(keys.lab, request<Lab>, { refreshInterval: LAB_EVERY_MS });
  const { staleBecause } = useConnection();
  if (data !== undefined) return { kind: "ready", lab: data, staleBecause };
  return error === undefined ? { kind: "loading" } : { kind: "failed", error: asApiError(error) };
}

/** Whether the run still goes on. */
export function isRunOn({ state }: Pick<LabRun, "state">): boolean {
  return state === "starting" || state === "playing";
}

/** Plays a scenario, driven by this page. What comes of it is on the lab's stream. @throws ApiError */
export async function startLabRun(body: Omit<LabRunBody, "viewer">): Promise<void> {
  await request<LabRun>(keys.labRuns, { method: "POST", body: { ...body, viewer: labViewer() } });
}

/** Ends a run and everything it has started. @throws ApiError */
export async function stopLabRun(id: string): Promise<void> {
  await request<LabRun>(`${keys.labRun(id)}?viewer=${labViewer()}`, { method: "DELETE" });
}

/** Makes this page the driver of a run. @throws ApiError */
export async function takeOverLabRun(id: string): Promise<void> {
  await request<LabAudience>(keys.labDriver(id), { method: "POST", body: { viewer: labViewer() } });
}
