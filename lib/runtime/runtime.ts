import { BootError } from "./boot-error";
import { compose, type Runtime } from "./compose";
import { isBuilding, readEnv } from "./env";

/** What the launcher, which serves Next in this same process, can reach of us. */
interface ConsoleHandle {
  /** Settles when the console can answer; rejects with a BootError when it cannot start. */
  readonly ready: Promise<void>;
  shutdown(): Promise<void>;
}

// On globalThis, since a page, a route and instrumentation.ts each get their own copy of this module in a production build:
// kept in a variable, the cluster would be started three times.
const home = globalThis as typeof globalThis & {
  __redlockRuntime?: Promise<Runtime>;
  __redlockConsole?: ConsoleHandle;
};

/**
 * The one runtime of this process, made at the first call.
 *
 * @throws BootError when the console cannot start
 */
export function getRuntime(): Promise<Runtime> {
  if (home.__redlockRuntime !== undefined) return home.__redlockRuntime;
  if (isBuilding()) return Promise.reject(new Error("Nothing is started while Next builds; make this page dynamic."));
  const runtime = start();
  home.__redlockRuntime = runtime;
  const ready = runtime.then(() => undefined);
  // Whoever waits for it hears of a failure; nobody waiting is no unhandled rejection.
  ready.catch(() => undefined);
  home.__redlockConsole = {
    ready,
    async shutdown() {
      const started = await runtime.catch(() => null);
      await started?.shutdown();
    },
  };
  return runtime;
}

async function start(): Promise<Runtime> {
  const { config, errors } = readEnv();
  if (errors.length > 0) throw new BootError(errors.join("\n"));
  return compose(config);
}
