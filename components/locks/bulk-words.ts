import { BULK_OUTCOMES, type BulkOutcome, type BulkReport } from "@/lib/client";

interface OutcomeLook {
  /** Said of an item after the run. */
  readonly did: string;
  /** Said of an item after the dry run. */
  readonly will: string;
  readonly color: string;
  readonly willColor?: string;
  /** Another try may go better: the item stays selected. */
  readonly isWorthRetry: boolean;
}

/** How each outcome of a bulk action reads and looks. */
export const OUTCOME_LOOKS: Readonly<Record<BulkOutcome, OutcomeLook>> = {
  expired: { did: "expired", will: "will be expired", color: "text-ok", willColor: "text-bad", isWorthRetry: false },
  partial: {
    did: "partly expired",
    will: "will be expired in part",
    color: "text-risk",
    willColor: "text-bad",
    isWorthRetry: true,
  },
  changed: { did: "changed meanwhile", will: "changed meanwhile", color: "text-risk", isWorthRetry: false },
  gone: { did: "gone", will: "gone", color: "text-mute", isWorthRetry: false },
  unreachable: { did: "unreachable", will: "unreachable", color: "text-unk", isWorthRetry: true },
  refused: { did: "refused", will: "refused", color: "text-bad", isWorthRetry: false },
  failed: { did: "failed", will: "failed", color: "text-bad", isWorthRetry: true },
  unknown: { did: "not known", will: "not known", color: "text-unk", isWorthRetry: true },
  untouched: { did: "not begun", will: "not asked", color: "text-mute", isWorthRetry: true },
};

/** Above this many the operator types a name instead of a number. */
const MANY = 100;

/** What must be typed before so many locks are expired at once: nothing, the count, or the name of the cluster. */
export function confirmationFor(count: number, environment: string | null): string | null {
  if (count > MANY || environment === "production") return environment ?? "force-expire";
  return count > 1 ? String(count) : null;
}

/** `2 expired · 1 changed meanwhile` */
export function tally(reports: readonly BulkReport[]): string {
  return BULK_OUTCOMES.flatMap((outcome) => {
    const count = reports.filter((report) => report.outcome === outcome).length;
    return count === 0 ? [] : [`${count.toLocaleString("en-US")} ${OUTCOME_LOOKS[outcome].did}`];
  }).join(" · ");
}

/** One item in words, node by node where they differ. */
export function detailOf({ answer, reason, outcome }: BulkReport): string {
  if (answer === null) return reason ?? "";
  const on = (wanted: string) => answer.nodes.filter(({ result }) => result === wanted).map(({ node }) => node);
  const [deleted, changed, silent] = [on("deleted"), on("changed"), on("unreachable")];
  const isDry = answer.dryRun;
  const parts = [
    deleted.length > 0 && `${isDry ? "key deleted" : "deleted"} on ${countOf(deleted.length)}`,
    changed.length > 0 && `${changed.join(", ")} ${isDry ? "has" : "had"} another token: left alone`,
    silent.length > 0 && `${silent.join(", ")} not reached: a key there stays`,
    deleted.length === 0 && outcome === "gone" && "no node had it any more",
  ];
  return parts.filter((part) => part !== false).join("; ");
}

/** The result as lines of text, tab-separated, for a ticket or a chat. */
export function resultText(reports: readonly BulkReport[]): string {
  const lines = reports.map((report) => {
    const { resource, fingerprint } = report.item;
    return [resource, fingerprint, OUTCOME_LOOKS[report.outcome].did, detailOf(report)].join("\t");
  });
  return [`force-expire: ${tally(reports)}`, ...lines].join("\n");
}

function countOf(nodes: number): string {
  return nodes === 1 ? "1 node" : `${nodes} nodes`;
}
