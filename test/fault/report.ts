import type { Interval } from "@/lib/lab";
import type { InflictedFault, Violation } from "./checker";
import type { FencedGrant } from "./fence-checker";

/** Faults from so long before a violation are shown with it. */
const AROUND_US = 3_000_000;

/** What a run saw. */
export interface RunSummary {
  readonly violations: number;
  readonly grants: number;
  readonly faults: number;
  readonly seed: number;
}

/** The line a run ends with. */
export function closingLine({ violations, grants, faults, seed }: RunSummary): string {
  return `violations ${violations}, grants ${grants}, faults ${faults}, seed ${seed}`;
}

/** Why a run proves nothing although it found nothing; null when it may count. */
export function whyBlind(
  { grants, faults }: RunSummary,
  { seconds, hasNemeses }: { readonly seconds: number; readonly hasNemeses: boolean },
): string | null {
  const grantsMin = Math.max(3, seconds);
  const faultsMin = hasNemeses ? Math.max(3, Math.floor(seconds / 2)) : 0;
  if (grants < grantsMin)
    return `The checker was blind: ${grants} grants, at least ${grantsMin} are needed to see anything.`;
  if (faults >= faultsMin) return null;
  return `The checker was blind: ${faults} faults, at least ${faultsMin} are needed to test anything.`;
}

/** One violation in words, with the faults around it. */
export function describeViolation(violation: Violation, faults: readonly InflictedFault[], startUs: number): string {
  const at = (us: number): string => `${((us - startUs) / 1000).toFixed(1)} ms`;
  const show = ({ id, fromUs, untilUs }: Interval): string => `  ${id}: from ${at(fromUs)} until ${at(untilUs)}`;
  const showFenced = ({ id, askedUs, atUs, fence }: FencedGrant): string =>
    `  ${id}: fence ${fence}, asked for at ${at(askedUs)}, on record at ${at(atUs)}`;
  const around = (fromUs: number, untilUs: number): readonly string[] =>
    faults
      .filter((fault) => fault.fromUs <= untilUs && fault.untilUs >= fromUs - AROUND_US)
      .sort((a, b) => a.fromUs - b.fromUs)
      .map((fault) => `    ${at(fault.fromUs)} to ${at(fault.untilUs)} ${fault.what}`);
  switch (violation.kind) {
    case "overlap": {
      const { first, second, overlapMs } = violation;
      const title = `overlap of ${overlapMs.toFixed(1)} ms on ${first.resource}:`;
      const lines = around(first.fromUs, Math.max(first.untilUs, second.untilUs));
      return [title, show(first), show(second), "  faults around it:", ...lines].join("\n");
    }
    case "expired_grant": {
      const { interval, validityMs } = violation;
      const title = `${interval.resource} was handed out with ${validityMs.toFixed(1)} ms of validity:`;
      return [title, `  ${interval.id} at ${at(interval.fromUs)}`, ...around(interval.fromUs, interval.fromUs)].join(
        "\n",
      );
    }
    case "revived": {
      const { interval, lateMs } = violation;
      const title = `${interval.resource} was extended ${lateMs.toFixed(1)} ms after it had ended:`;
      return [title, show(interval), ...around(interval.fromUs, interval.untilUs)].join("\n");
    }
    case "fence_duplicate":
    case "fence_order": {
      const { kind, first, second } = violation;
      const title =
        kind === "fence_duplicate"
          ? `two locks of ${first.resource} have the fence ${first.fence}:`
          : `a later lock of ${first.resource} has a lower fence, by ${first.fence - second.fence}:`;
      const lines = around(Math.min(first.askedUs, second.askedUs), Math.max(first.atUs, second.atUs));
      return [title, showFenced(first), showFenced(second), "  faults around it:", ...lines].join("\n");
    }
    case "not_live":
      return `${violation.resource} was not to be had by ${violation.id} although everything was well again`;
    default:
      return violation satisfies never;
  }
}
