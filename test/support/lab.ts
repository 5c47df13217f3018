import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll } from "vitest";
import type { LabRun } from "@/lib/contract";
import { Lab, type LabOptions, Run, type Scenario } from "@/lib/lab";
import { bundleLabClient } from "../../lib/setup/lab-client.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const LIMIT_MS = 60_000;

/** Plays scenarios without a console, for the tests of one file. */
export function headlessLab(): {
  play(scenario: Scenario, how?: { seed?: number; n?: number; limitMs?: number }): Promise<LabRun>;
  /** A lab as a console has it; it must be closed. */
  open(options?: Pick<LabOptions, "leaveMs" | "limitMs">): Lab;
} {
  const folder = mkdtempSync(join(tmpdir(), "redlock-lab-"));
  let clientProgram: string;
  beforeAll(async () => {
    clientProgram = await bundleLabClient(root);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let runs = 0;
  return {
    open(options = {}) {
      const newId = () => {
        runs += 1;
        return `run-${runs}`;
      };
      return new Lab({ folder, clientProgram, isReadOnly: false, isAllowed: true, newId, ...options });
    },
    async play(scenario, { seed = 1, n, limitMs = LIMIT_MS } = {}) {
      const run = new Run({ id: "test", scenario, seed, n, folder, clientProgram, limitMs });
      await run.over;
      return run.view();
    },
  };
}

/** Processes of the clients that have entered. */
export function clientPids({ events }: Pick<LabRun, "events">): readonly number[] {
  return events.flatMap((event) => (event.kind === "client" && event.pid !== null ? [event.pid] : []));
}

/** Whether a process still exists. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
