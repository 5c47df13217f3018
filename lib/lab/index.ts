// lib/lab: clients made for showing: those of the demonstration, on the console's own cluster, and the Quorum Lab, whose every run
// has redis-servers, links and client processes of its own.
// Promises: what they leave behind is what such clients leave behind; stopping takes bounded time and ends all that was started;
// a verdict is computed from the record of what happened, never from what was intended.

export { Demonstration, type DemonstrationOptions } from "./demonstration";
export {
  type Claim,
  type ClaimRecord,
  claimsOf,
  type Interval,
  intervalsOf,
  nowUs,
  type Overlap,
  overlaps,
} from "./intervals";
export { Lab, type LabOptions } from "./lab";
export { Run, type RunOptions } from "./run";
export type { Scenario } from "./scenario";
export { crashRestart } from "./scenarios/crash-restart";
export { SCENARIOS } from "./scenarios/table";
