import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type LabCommandBody, type LabRun, labCommandAnswerSchema } from "@/lib/contract";
import { Lab } from "@/lib/lab";
import { bundleLabClient } from "../../lib/setup/lab-client.mjs";
import { until } from "../support/until";

// A run that viewers command, driven as the API drives it.

const LIMIT_MS = 120_000;
const SOON_MS = 40_000;
const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

let folder: string;
let clientProgram: string;
let lab: Lab;
let runId: string;
let runs = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "redlock-sandbox-"));
  clientProgram = await bundleLabClient(root);
}, LIMIT_MS);
afterEach(() => lab.close(), LIMIT_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function start(): Promise<void> {
  const newId = (): string => {
    runs += 1;
    return `run-${runs}`;
  };
  lab = new Lab({ folder, clientProgram, isReadOnly: false, isAllowed: true, newId });
  runId = (await lab.start({ scenario: "sandbox", seed: 5, n: 5 })).id;
  await until(() => told("The sandbox is open"), "the sandbox to be open", SOON_MS);
}

const view = (): LabRun => lab.run(runId);
const told = (text: string): boolean =>
  view().events.some((event) => event.kind === "told" && event.text.includes(text));
const command = async (body: LabCommandBody): Promise<string> =>
  labCommandAnswerSchema.parse(await lab.command(runId, body, null)).text;
const grants = (): number => view().events.filter(({ kind }) => kind === "granted").length;

async function grantsAgain(): Promise<void> {
  const before = grants();
  await until(() => grants() > before, "another grant", SOON_MS);
}

async function end(): Promise<LabRun> {
  await command({ on: "run", act: "end" });
  await until(() => !["starting", "playing"].includes(view().state), "the run to be over", SOON_MS);
  return view();
}

function unmet({ checks, state, problem }: LabRun): readonly string[] {
  const says = checks.filter(({ isMet }) => !isMet).map((check) => check.says);
  return state === "met" ? says : [`${state}: ${problem ?? ""}`, ...says];
}

test("a minority may be down, hung and cut off, and clients may sleep and die: no two hold", {
  timeout: LIMIT_MS,
}, async () => {
  await start();
  await grantsAgain();
  await command({ on: "node", node: "a", act: "pause" });
  await command({ on: "node", node: "b", act: "kill" });
  await command({ on: "link", client: "A", node: "c", act: "deafen" });
  await command({ on: "distance", client: "B", node: "d", ms: 40 });
  await command({ on: "client", client: "C", act: "pause" });
  await grantsAgain();
  await command({ on: "run", act: "heal" });
  expect(await command({ on: "entrance", isGuarded: true })).toBe("client D has entered");
  await command({ on: "client", client: "A", act: "kill" });
  await command({ on: "work", client: "B", act: "long" });
  await grantsAgain();
  await until(() => view().events.some(({ kind }) => kind === "extended"), "an extension", SOON_MS);
  const run = await end();
  expect(unmet(run)).toEqual([]);
  const faults = run.events.flatMap((event) => (event.kind === "fault" ? [`${event.target} ${event.text}`] : []));
  expect(faults).toEqual(
    expect.arrayContaining([
      "node a paused (SIGSTOP)",
      "node b killed (SIGKILL)",
      "client C paused (SIGSTOP)",
      "client A killed (SIGKILL)",
      "node b healed: resumed, or started again",
    ]),
  );
  await expect(lab.command(runId, { on: "run", act: "heal" }, null)).rejects.toMatchObject({ code: "not_found" });
});

test("who takes a lock away by force makes two hold it, and the verdict says so", { timeout: LIMIT_MS }, async () => {
  await start();
  await command({ on: "work", client: "A", act: "forget" });
  await until(
    async () => {
      await command({ on: "lock", act: "force-expire" });
      return view().overlaps.length > 0;
    },
    "two holders",
    SOON_MS,
  );
  const run = await end();
  expect(unmet(run)).toEqual(["not_met: ", "No two believed to hold it at the same time"]);
});

test("refuses what is not there and what makes no sense", { timeout: LIMIT_MS }, async () => {
  await start();
  const refused = { code: "invalid_request" };
  await expect(command({ on: "node", node: "z", act: "kill" })).rejects.toMatchObject(refused);
  await expect(command({ on: "client", client: "Z", act: "pause" })).rejects.toMatchObject(refused);
  await expect(command({ on: "node", node: "a", act: "resume" })).rejects.toMatchObject(refused);
  await command({ on: "client", client: "A", act: "kill" });
  await expect(command({ on: "work", client: "A", act: "short" })).rejects.toMatchObject(refused);
  const { state } = await lab.stop(runId, null);
  expect(state).toBe("stopped");
});

test("a run that has a script takes no commands", { timeout: LIMIT_MS }, async () => {
  lab = new Lab({ folder, clientProgram, isReadOnly: false, isAllowed: true, newId: () => "scripted" });
  const { id } = await lab.start({ scenario: "five-masters", seed: 1 });
  await expect(lab.command(id, { on: "run", act: "end" }, null)).rejects.toMatchObject({ code: "lab_busy" });
  await until(() => lab.run(id).state === "playing", "the run to play", SOON_MS);
  await expect(lab.command(id, { on: "run", act: "end" }, null)).rejects.toMatchObject({ code: "lab_busy" });
});

test("obeys its driver only", { timeout: LIMIT_MS }, async () => {
  lab = new Lab({ folder, clientProgram, isReadOnly: false, isAllowed: true, newId: () => "driven" });
  const [driver, other] = ["viewer-driver", "viewer-other"];
  lab.watch(driver, () => undefined);
  runId = (await lab.start({ scenario: "sandbox", seed: 5, n: 3, viewer: driver })).id;
  await until(() => told("The sandbox is open"), "the sandbox to be open", SOON_MS);
  const kill = { on: "node", node: "a", act: "kill" } as const;
  await expect(lab.command(runId, kill, other)).rejects.toMatchObject({ code: "lab_busy" });
  await lab.command(runId, kill, driver);
  lab.takeOver(runId, other);
  await lab.command(runId, { on: "run", act: "end" }, other);
});
