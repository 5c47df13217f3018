import type { ExportedFile } from "@/lib/client";
import type { LabRun, LabScenario } from "@/lib/contract";
import { stateWords } from "./lab-words";
import { lanesOf } from "./lanes";
import { svgText } from "./svg-text";
import { timelineOf } from "./timeline";

/** The record as a file. It holds fingerprints, never a token. */
export function recordFile(run: LabRun): ExportedFile {
  const text = `${JSON.stringify({ format: "redlock-console-lab-run", version: 1, run }, null, 2)}\n`;
  return { name: `${nameOf(run)}.json`, type: "application/json", text };
}

/** The lanes as a picture that can be put anywhere, with what was played and what came of it. */
export function timelineFile(run: LabRun, { title, expected }: LabScenario): ExportedFile {
  const heading = [
    `${title} (${run.n} masters, seed ${run.seed})`,
    `Expected: ${expected}`,
    `${stateWords(run)}.`,
    ...run.checks.map(({ says, isMet }) => `${isMet ? "✓" : "✕"} ${says}: ${isMet ? "yes" : "no"}`),
  ];
  const lanes = lanesOf(run);
  return { name: `${nameOf(run)}.svg`, type: "image/svg+xml", text: svgText(timelineOf(lanes, lanes.spanMs), heading) };
}

function nameOf({ scenario, n, seed }: LabRun): string {
  return `redlock-lab-${scenario}-${n}-masters-seed-${seed}`;
}
