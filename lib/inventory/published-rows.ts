import { quorumOf } from "@/lib/redlock";
import { type Counters, type Listing, LockIndex } from "./lock-index";
import { LockRow, type RowSource } from "./row";
import type { ViewContext } from "./view";

/** What a row is made of, but for its version. */
export type RowNow = Omit<RowSource, "version">;

/**
 * When time or the nodes change very many rows at once, so many are made anew at a stretch, in some ten milliseconds; the next ones so much
 * later, milliseconds, or when they are judged.
 */
const ANEW_MAX = 1000;
const ANEW_EVERY_MS = 50;

/** Makes a row anew from the reading it came from; null where that is gone. `isBrief`: only its verdict may be another. */
export type Derive = (row: LockRow, context: ViewContext, isBrief: boolean) => RowNow | null;

/** The published locks as lists have them: kept as time and the number of voting nodes change them. */
export class PublishedRows {
  readonly #index = new LockIndex();
  readonly #derive: Derive;
  #changes = 0;
  #canConfirm = true;
  #membership = 1;
  /** Rows of before the number of voting nodes said otherwise. */
  #laggards: Iterator<LockRow> | null = null;
  #anewLeft = ANEW_MAX;
  #anewAt = Number.NEGATIVE_INFINITY;

  constructor(derive: Derive) {
    this.#derive = derive;
  }

  /** Locks that fit, in order, as of `context`. */
  list(listing: Listing, context: ViewContext): readonly LockRow[] {
    this.#catchUp(context);
    return this.#index.list(listing, context);
  }

  /** One lock as of `context`. */
  get(resource: string, context: ViewContext): LockRow | undefined {
    this.#catchUp(context);
    return this.#index.get(resource);
  }

  /** How many there are, by verdict, as of `context`. */
  counters(context: ViewContext): Counters {
    this.#catchUp(context);
    return this.#index.counters;
  }

  /** @param isChanged in a way that a page must hear of */
  put(source: RowNow, context: ViewContext, isChanged: boolean): void {
    this.#catchUp(context);
    this.#membership = source.stands.length;
    if (isChanged) this.#changes += 1;
    const known = isChanged ? undefined : this.#index.get(source.resource)?.version;
    this.#index.put(new LockRow({ ...source, version: known ?? this.#changes }, context));
  }

  remove(resource: string): void {
    this.#index.remove(resource);
  }

  /** Lets time do to the rows what it has done to the keys: a list is exact at the moment it is asked for, unless very much has changed. */
  #catchUp(context: ViewContext): void {
    if (context.now - this.#anewAt >= ANEW_EVERY_MS) {
      this.#anewAt = context.now;
      this.#anewLeft = ANEW_MAX;
    }
    const due = this.#index.takeDue(context.now, this.#anewLeft);
    this.#anewLeft -= due.length;
    for (const row of due) this.#putAgain(row, context, false);
    // The only other thing a verdict rests on: whether enough nodes vote to confirm an extension of what is held.
    const canConfirm = context.votingNodes >= quorumOf(this.#membership);
    if (canConfirm !== this.#canConfirm) this.#laggards = this.#index.rows().values();
    this.#canConfirm = canConfirm;
    if (this.#laggards !== null) this.#confirmSome(this.#laggards, context);
  }

  #confirmSome(laggards: Iterator<LockRow>, context: ViewContext): void {
    while (this.#anewLeft > 0) {
      const { value: row, done } = laggards.next();
      if (done === true) {
        this.#laggards = null;
        return;
      }
      if (!row.isCurrent || !(row.verdict === "held" || row.verdict === "at_risk")) continue;
      this.#anewLeft -= 1;
      this.#putAgain(row, context, true);
    }
  }

  #putAgain(row: LockRow, context: ViewContext, isBrief: boolean): void {
    const source = this.#derive(row, context, isBrief);
    if (source !== null) this.#index.put(new LockRow({ ...source, version: row.version }, context));
  }
}
