import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What the fault checker's command did. */
export interface FaultRun {
  readonly code: number | null;
  readonly output: string;
  readonly lastLine: string;
}

/** Runs `npm run fault` as a user would, without npm around it. */
export function runFault(...args: readonly string[]): Promise<FaultRun> {
  return runFaultOn(process.env.PATH ?? "", ...args);
}

/** As `runFault`, where only these folders hold programs. */
export async function runFaultOn(path: string, ...args: readonly string[]): Promise<FaultRun> {
  const env = { ...process.env, PATH: path };
  const child = spawn(process.execPath, ["test/fault/main.mjs", ...args], { cwd: root, env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk;
    });
  }
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output, lastLine: output.trimEnd().split("\n").at(-1) ?? "" };
}
