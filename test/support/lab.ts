import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll } from "vitest";
import type { LabRun } from "@/lib/contract";
import { Run, type Scenario } from "@/lib/lab";
import { bundleLabClient } from "../../lib/setup/lab-client.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const LIMIT_MS = 60_000;

/** Plays scenarios without a console, for the tests of one file. */
export function headlessLab(): {
  play(scenario: Scenario, how?: { seed?: number; n?: number; limitMs?: number }): Promise<LabRun>;
} {
  const folder = mkdtempSync(join(tmpdir(), "redlock-lab-"));
  let clientProgram: string;
  beforeAll(async () => {
    clientProgram = await bundleLabClient(root);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return {
    async play(scenario, { seed = 1, n, limitMs = LIMIT_MS } = {}) {
      const run = new Run({ id: "test", scenario, seed, n, folder, clientProgram, limitMs });
      await run.over;
      return run.view();
    },
  };
}

/** What the run found not to be so, and why it found nothing; empty when all is as the scenario says. */
export function troublesOf({ state, problem, checks }: LabRun): readonly string[] {
  const unmet = checks.filter(({ isMet }) => !isMet).map(({ says }) => says);
  return state === "met" ? unmet : [`${state}: ${problem ?? ""}`, ...unmet];
}
