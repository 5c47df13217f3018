import useSWR from "swr";
import type { Lab, LabAudience, LabCommandAnswer, LabCommandBody, LabRun, LabRunBody } from "@/lib/contract";
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

/**
 * A run that is kept, by its id.
 *
 * @param id null = none is wanted
 * @param live the one that the stream brings, which may be it
 */
export function useKeptRun(id: string | null, live: LabRun | null): Loadable<{ readonly run: LabRun | null }> {
  const isLive = id === null || id === live?.id;
  // Over for good when it is not the live one, so it is asked for once.
  const { data, error } = useSWR<LabRun>(isLive ? null : keys.labRun(id), request<LabRun>, {
    revalidateOnFocus: false,
  });
  const { staleBecause } = useConnection();
  if (isLive) return { kind: "ready", run: live, staleBecause };
  if (data !== undefined) return { kind: "ready", run: data, staleBecause };
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

/** Does something to the processes of a run that takes commands. @returns what was done, in words @throws ApiError */
export async function commandLabRun(id: string, body: LabCommandBody): Promise<string> {
  const path = `${keys.labCommands(id)}?viewer=${labViewer()}`;
  return (await request<LabCommandAnswer>(path, { method: "POST", body })).text;
}
