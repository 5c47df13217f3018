// lib/runtime: the composition root: reads the environment and builds everything long-lived, once per process.
// Promises: nothing starts by importing; one runtime whatever the number of bundles; an orderly end in bounded time.
import "server-only";

export { boot } from "./boot";
export { BootError } from "./boot-error";
export type { Runtime } from "./compose";
export type { StreamEvent } from "./event-hub";
export { firstList } from "./first-list";
export { log } from "./log";
export { getRuntime } from "./runtime";
