import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SCENARIOS } from "@/lib/lab";
import { headlessLab } from "../support/lab";
import { troublesOf } from "../support/lab-verdict";

// A machine on which redis-server is, and no C compiler: nothing else is on the PATH.

const LIMIT_MS = 120_000;

const lab = headlessLab();
const usual = process.env.PATH;
const bin = mkdtempSync(join(tmpdir(), "redlock-bin-"));

beforeAll(() => {
  const server = execFileSync("/bin/sh", ["-c", "command -v redis-server"], { encoding: "utf8" }).trim();
  symlinkSync(server, join(bin, "redis-server"));
  process.env.PATH = bin;
});

afterAll(() => {
  process.env.PATH = usual;
  rmSync(bin, { recursive: true, force: true });
});

test("without a C compiler wrong clocks are emulated, and told to be", { timeout: LIMIT_MS }, async () => {
  const run = await lab.play(SCENARIOS.clocks, { seed: 3 });
  expect(troublesOf(run)).toEqual([]);
  expect(run.checks).not.toEqual([]);
  expect(run.events.filter(({ kind }) => kind === "left_out")).toEqual([]);
  const steps = run.events.filter((event) => event.kind === "fault" && /its clock set/.test(event.text));
  expect(steps).toHaveLength(5);
  for (const step of steps)
    expect(step).toMatchObject({ text: expect.stringContaining("(emulated, since no C compiler") });
});

test("without a C compiler the slow disk is left out, and told to be", { timeout: LIMIT_MS }, async () => {
  const run = await lab.play(SCENARIOS["restart-everysec"], { seed: 3 });
  expect(troublesOf(run)).toEqual([]);
  expect(run.events).toContainEqual(expect.objectContaining({ kind: "left_out", text: "the slow disk" }));
});
