import { type EnvironmentConfig, type EnvironmentResult, isLoopback, readEnvironment } from "../setup/environment.mjs";

export { isLoopback };
export type Config = EnvironmentConfig;

/** The configuration of this process, with what is wrong with it as sentences. The only place that reads `process.env`. */
export function readEnv(): EnvironmentResult {
  return readEnvironment(process.env, { isTerminal: process.stderr.isTTY === true });
}

/** Whether Next is only building: it imports routes and pages then, and nothing may be started. */
export function isBuilding(): boolean {
  return process.env.NEXT_PHASE === "phase-production-build";
}
