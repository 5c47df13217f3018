import { BootError } from "./boot-error";
import { isBuilding } from "./env";
import { log } from "./log";
import { getRuntime } from "./runtime";

/** Starts the console before the first request. Never throws: the launcher hears of a failure through its handle. */
export async function boot(): Promise<void> {
  if (isBuilding()) return;
  try {
    const { n, up } = (await getRuntime()).cluster();
    log("info", `${up} of ${n} nodes answer.`);
  } catch (error) {
    if (error instanceof BootError) log("error", error.message);
    else log("error", "The console could not start.", {}, error);
  }
}
