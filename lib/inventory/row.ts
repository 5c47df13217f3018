import { type Evidence, isProblem, type LockView, SEVERITY, type Searched } from "@/lib/contract";
import { REVOKED_LAYOUT_ID } from "@/lib/layouts";
import type { Verdict } from "@/lib/redlock";
import { earliestEnd, type NodeStand } from "./sighting";
import { recognitionOf, type ViewContext } from "./view";

/** When a list is looked at: monotonic and wall time, milliseconds. */
export type Moment = Pick<ViewContext, "now" | "readAt">;

type RowContext = Pick<ViewContext, "now" | "isOwn">;

/** What a row is made of. */
export interface RowSource {
  readonly resource: string;
  readonly stands: readonly NodeStand[];
  readonly verdict: Verdict;
  /** Epoch ms at which the present token was seen first. */
  readonly firstSeenAt: number | null;
  readonly evidence: readonly Pick<Evidence, "kind">[];
  /** When time alone will add to the evidence, monotonic milliseconds. */
  readonly moreAt: number;
  /** Grows with every change that a page must hear of. */
  readonly version: number;
}

/**
 * What lists filter and sort a lock by, kept ready: a view of it is made only when it is on a page.
 *
 * It holds from `derivedAt` until `nextChangeAt`, the next end of a key or time at which there is more evidence; then time alone may
 * have changed it and another row takes its place. Rows never change, so a sorted list finds an old one by its keys.
 */
export class LockRow implements Searched<Moment> {
  readonly resource: string;
  readonly verdict: LockView["verdict"];
  readonly holder: LockView["holder"];
  readonly layout: Searched<Moment>["layout"];
  readonly noExpiry: boolean;
  readonly revoked: boolean;
  readonly firstSeenAt: number | null;
  readonly evidence: RowSource["evidence"];
  readonly moreAt: number;
  readonly version: number;
  /** End of the last key on any node, monotonic milliseconds: unlike the remaining time it is the same on the next page. */
  readonly endAt: number;
  readonly nextChangeAt: number;
  readonly severity: number;
  readonly isProblem: boolean;
  /** False as soon as another row has taken its place. */
  isCurrent = true;
  /** The same on the nodes whose word counts. */
  readonly #heardEndAt: number;
  readonly #stands: readonly NodeStand[];
  readonly #derivedAt: number;

  constructor(
    { resource, stands, verdict, firstSeenAt, evidence, moreAt, version }: RowSource,
    { now, isOwn }: RowContext,
  ) {
    const recognition = recognitionOf(stands, verdict.fingerprint, isOwn);
    this.resource = resource;
    this.verdict = verdict.kind;
    this.severity = SEVERITY.indexOf(verdict.kind);
    this.holder =
      verdict.fingerprint === null
        ? null
        : { fingerprint: verdict.fingerprint, label: recognition?.holderLabel ?? null };
    this.layout = recognition;
    this.noExpiry = verdict.noExpiry;
    this.evidence = evidence;
    this.moreAt = moreAt;
    this.isProblem = isProblem(this);
    this.revoked = recognition?.id === REVOKED_LAYOUT_ID;
    this.firstSeenAt = firstSeenAt;
    this.version = version;
    this.#stands = stands;
    this.#derivedAt = now;
    let [endAt, heardEndAt, nextChangeAt] = [0, 0, moreAt];
    for (const { sighting, silent } of stands) {
      if (sighting === null) continue;
      const end = earliestEnd(sighting);
      endAt = Math.max(endAt, end);
      if (silent === null) heardEndAt = Math.max(heardEndAt, end);
      if (end > now) nextChangeAt = Math.min(nextChangeAt, end);
    }
    this.endAt = Number.isFinite(endAt) ? Math.round(endAt) : Number.MAX_SAFE_INTEGER;
    this.#heardEndAt = heardEndAt;
    this.nextChangeAt = nextChangeAt;
  }

  hasKeyOn(name: string): boolean {
    return this.#stands.some(
      ({ node, sighting, silent }) =>
        node === name && silent === null && sighting !== null && earliestEnd(sighting) > this.#derivedAt,
    );
  }

  remainingMs({ now }: Moment): number {
    return Math.max(0, this.#heardEndAt - now);
  }

  seenForMs({ readAt }: Moment): number {
    return this.firstSeenAt === null ? 0 : Math.max(0, readAt - this.firstSeenAt);
  }
}
