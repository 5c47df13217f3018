import { execFile } from "node:child_process";
import { closeSync, openSync, readSync, writeFileSync, writeSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";

const COMPILERS = ["cc", "gcc", "clang"] as const;
const COMPILED_WITHIN_MS = 30_000;
const ERROR_LINES = 3;

/** `struct control` of server-shim.c: three numbers of 64 bits. */
const CONTROL_BYTES = 24;
const CLOCK_AT = 0;
const FSYNC_AT = 8;
const LOADED_BY_AT = 16;

/** Faults within one redis-server process: of its wall clock and of its disk. They last through a restart of the server. */
export interface ServerShim {
  /** To be laid over the environment that the server is started with. */
  readonly env: Readonly<Record<string, string>>;
  /** Process id of the server that has loaded it last; null when none has: then orders have no effect. */
  readonly loadedBy: number | null;
  /** Puts the wall clock to so many milliseconds ahead of the machine's (negative: behind it); 0 sets it right. */
  stepClock(aheadMs: number): void;
  /** Makes every fsync and fdatasync take at least so many milliseconds; 0 heals. One under way ends by the new delay. */
  delayFsync(ms: number): void;
}

/** The compiled shim, or why there is none. */
export type ShimBuild =
  | {
      readonly kind: "built";
      /** @param name of the server's control file, one per server */
      forServer(name: string): ServerShim;
    }
  | { readonly kind: "unavailable"; readonly reason: string };

/**
 * Compiles `server-shim.c`, with the C compiler there is. Without one nothing is thrown: a caller tells what cannot be shown.
 *
 * @param folder for the library and the control files; made when it is missing, and to be kept as long as the servers
 */
export async function buildServerShim(
  folder: string,
  system: { readonly platform?: string; readonly compilers?: readonly string[] } = {},
): Promise<ShimBuild> {
  const { platform = process.platform, compilers = COMPILERS } = system;
  if (platform !== "linux") return unavailable(`it works on Linux only, and this is ${platform}`);
  await mkdir(folder, { recursive: true });
  const library = resolve(folder, "server-shim.so");
  // Not imported, and no part of the build: read where the project lies, as the keeper is.
  const source = join(/* turbopackIgnore: true */ process.cwd(), "lib", "cluster", "server-shim.c");
  for (const compiler of compilers) {
    const error = await compile(compiler, ["-shared", "-fPIC", "-O2", "-o", library, source]);
    if (error === null) return { kind: "built", forServer: (name) => shimOf(library, resolve(folder, name)) };
    if (error.kind === "failed") return unavailable(`${compiler} could not compile it: ${error.words}`);
  }
  const names = compilers.join(", ");
  return unavailable(
    `no C compiler (${names}) is on the PATH; install one, for instance apt-get install gcc libc6-dev`,
  );
}

function unavailable(reason: string): ShimBuild {
  return { kind: "unavailable", reason };
}

/** @returns null when it worked */
function compile(
  compiler: string,
  args: readonly string[],
): Promise<null | { readonly kind: "missing" } | { readonly kind: "failed"; readonly words: string }> {
  return new Promise((done) => {
    execFile(compiler, args, { timeout: COMPILED_WITHIN_MS }, (error, _, complaints) => {
      if (error === null) done(null);
      else if ("code" in error && error.code === "ENOENT") done({ kind: "missing" });
      else done({ kind: "failed", words: (complaints || error.message).split("\n").slice(0, ERROR_LINES).join(" | ") });
    });
  });
}

function shimOf(library: string, control: string): ServerShim {
  writeFileSync(control, Buffer.alloc(CONTROL_BYTES));
  const order = (at: number, ms: number): void => {
    if (!Number.isSafeInteger(ms)) throw new RangeError(`ms must be an integer, got ${ms}`);
    // In place: the server has this very file in its memory, not what its name stands for.
    within(control, "r+", (file) => writeSync(file, BigInt64Array.of(BigInt(ms)), 0, 8, at));
  };
  return {
    env: { LD_PRELOAD: library, REDLOCK_SHIM_CONTROL: control },
    get loadedBy() {
      const pid = new BigInt64Array(1);
      within(control, "r", (file) => readSync(file, pid, 0, 8, LOADED_BY_AT));
      return Number(pid[0]) || null;
    },
    stepClock: (aheadMs) => order(CLOCK_AT, aheadMs),
    delayFsync(ms) {
      if (ms < 0) throw new RangeError(`ms must not be negative, got ${ms}`);
      order(FSYNC_AT, ms);
    },
  };
}

function within(path: string, flags: "r" | "r+", act: (file: number) => void): void {
  const file = openSync(path, flags);
  try {
    act(file);
  } finally {
    closeSync(file);
  }
}
