import type { ClientKind } from "./clients";

/** What one worker process is told, as a JSON file. */
export interface WorkerTask {
  readonly name: string;
  readonly client: ClientKind;
  /** Of this worker's own links, in node order. */
  readonly urls: readonly string[];
  /** The masters as every worker names them, for the restart guard; null = no guard. The URLs differ from worker to worker. */
  readonly guardMembers: readonly string[] | null;
  readonly resources: readonly string[];
  readonly contenders: number;
  /** Two of three contenders ask for fair locks. */
  readonly isFair: boolean;
  readonly ttlMs: number;
  readonly nodeTimeoutMs: number;
  readonly seed: number;
  /** File the history is appended to. */
  readonly history: string;
  readonly root: string;
  /** After the faults a free lock must be had within so many milliseconds. */
  readonly liveWithinMs: number;
}

/**
 * Whether locks of this resource are asked for with a fence: by the engine, and two resources of three, so that both ways are used
 * and never both on one resource.
 */
export function isFenced({ client, resources }: Pick<WorkerTask, "client" | "resources">, resource: string): boolean {
  return client === "engine" && resources.indexOf(resource) % 3 !== 2;
}

/** Sent by a worker over its channel. */
export type WorkerNews = "ready" | "finished";

/** Sent to a worker: contend no more, show that locks can be had, and end. */
export const FINISH = "finish";
