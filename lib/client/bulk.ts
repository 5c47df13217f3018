import type { BulkForceExpireAnswer, BulkForceExpireBody, ForceExpireAnswer, LockDetail } from "@/lib/contract";
import { refreshLocks } from "./actions";
import { type ApiError, asApiError } from "./api-error";
import { keys } from "./keys";
import { request } from "./request";

/** A lock as it was when somebody selected it: the snapshot a bulk action works on. */
export interface BulkItem {
  readonly id: string;
  readonly resource: string;
  readonly fingerprint: string;
}

/**
 * What became, or with a dry run would become, of one item.
 *
 * expired: the token is on no node any more. partial: silent nodes may still have it. changed: another token is there now.
 * gone: it was free already. unreachable: too few nodes answered to know. refused: its client's locks are not to be released
 * from outside. failed: nothing was done, see the reason. unknown: the answer got lost. untouched: never begun.
 */
export const BULK_OUTCOMES = [
  "expired",
  "partial",
  "changed",
  "gone",
  "unreachable",
  "refused",
  "failed",
  "unknown",
  "untouched",
] as const;
export type BulkOutcome = (typeof BULK_OUTCOMES)[number];

export interface BulkReport {
  readonly item: BulkItem;
  readonly outcome: BulkOutcome;
  /** Node by node; null where there was no answer. */
  readonly answer: ForceExpireAnswer | null;
  /** Monotonic milliseconds when it was known. */
  readonly takenAt: number;
  readonly reason: string | null;
}

interface BulkOptions {
  /** Asked for between two requests: what was begun is finished, because nobody would know how far it got. */
  readonly signal: AbortSignal;
  /** Called after each request with the reports it brought. */
  readonly onReports?: (reports: readonly BulkReport[]) => void;
}

/** Small enough that a stop is soon obeyed, large enough that a thousand locks are not a thousand requests. */
const CHUNK_ITEMS = 20;

/** A chunk of items on slow nodes takes a few of their time limits. */
const CHUNK_EXTRA_TIMEOUT_MS = 20_000;

/** After these nobody knows whether the request was carried out. */
const LOST_ANSWERS: readonly ApiError["code"][] = [
  "console_unreachable",
  "console_timeout",
  "unreadable_answer",
  "internal",
];

/**
 * Force-expires a snapshot of locks, chunk by chunk; with `dryRun` only says what would happen. Never throws: a request that fails
 * as a whole ends the run, and its items say why.
 *
 * @returns one report for every item, in their order
 */
export async function bulkForceExpire(
  items: readonly BulkItem[],
  options: Omit<BulkForceExpireBody, "items">,
  { signal, onReports }: BulkOptions,
): Promise<readonly BulkReport[]> {
  const reports: BulkReport[] = [];
  let stoppedBecause: string | null = null;
  for (let start = 0; start < items.length && stoppedBecause === null && !signal.aborted; start += CHUNK_ITEMS) {
    const chunk = items.slice(start, start + CHUNK_ITEMS);
    let brought: readonly BulkReport[];
    try {
      brought = await expireChunk(chunk, options);
    } catch (cause) {
      const error = asApiError(cause);
      stoppedBecause = `not begun: ${error.message}`;
      brought = chunk.map((item) => failedReport(item, error));
    }
    reports.push(...brought);
    onReports?.(brought);
    if (!options.dryRun) refreshLocks(chunk.map(({ id }) => id));
  }
  const rest = items.slice(reports.length);
  return [
    ...reports,
    ...rest.map((item) => report(item, "untouched", stoppedBecause ?? "stopped before it was begun")),
  ];
}

async function expireChunk(
  chunk: readonly BulkItem[],
  options: Omit<BulkForceExpireBody, "items">,
): Promise<readonly BulkReport[]> {
  const body: BulkForceExpireBody = {
    ...options,
    items: chunk.map(({ resource, fingerprint }) => ({ resource, fingerprint })),
  };
  const answer = await request<BulkForceExpireAnswer>(keys.bulkForceExpire, {
    method: "POST",
    body,
    extraTimeoutMs: CHUNK_EXTRA_TIMEOUT_MS,
  });
  const results = new Map(answer.items.map((result) => [result.resource, result]));
  return Promise.all(chunk.map((item) => reportOf(item, results.get(item.resource))));
}

/** @param result undefined when the server stopped before this item */
async function reportOf(
  item: BulkItem,
  result: BulkForceExpireAnswer["items"][number] | undefined,
): Promise<BulkReport> {
  if (result?.answer != null) return report(item, outcomeOf(result.answer), null, result.answer);
  if (result?.error == null) return report(item, "unknown", "the console did not say what became of it");
  const { code, message } = result.error;
  switch (code) {
    case "lock_changed":
      return (await isFree(item.id))
        ? report(item, "gone", "it was free already")
        : report(item, "changed", "no node holds the token that was selected");
    case "layout_refused":
      return report(item, "refused", message);
    case "quorum_unreachable":
      return report(item, "unreachable", message);
    default:
      return report(item, "failed", message);
  }
}

function outcomeOf({ outcome, nodes }: ForceExpireAnswer): BulkOutcome {
  if (outcome !== "none") return outcome;
  const results = nodes.map(({ result }) => result);
  if (results.includes("unreachable")) return "unreachable";
  return results.includes("changed") ? "changed" : "gone";
}

/** "No node holds that token" has two meanings for an operator: somebody else has it now, or nobody. */
async function isFree(id: string): Promise<boolean> {
  try {
    return (await request<LockDetail>(keys.lock(id))).verdict === "free";
  } catch {
    return false; // not known: "changed" is the answer the server gave
  }
}

function failedReport(item: BulkItem, error: ApiError): BulkReport {
  const isLost = LOST_ANSWERS.includes(error.code);
  return report(item, isLost ? "unknown" : "failed", `${error.message} ${error.nextStep}`);
}

function report(
  item: BulkItem,
  outcome: BulkOutcome,
  reason: string | null,
  answer: ForceExpireAnswer | null = null,
): BulkReport {
  return { item, outcome, answer, reason, takenAt: performance.now() };
}
