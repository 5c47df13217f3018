import { dependsOnTime, type LocksQuery, type LockView, searchedTest, VERDICTS } from "@/lib/contract";
import { DueRows } from "./due-rows";
import { type Order, orderOf } from "./order";
import type { LockRow, Moment } from "./row";
import { SortedRows } from "./sorted-rows";

/** Lists kept up to date; the least recently asked for is given up first. Each costs one pointer per lock that fits. */
const LISTS_MAX = 24;
/** Replaced rows are forgotten when there are so many times as many as there are locks. */
const DUE_SURPLUS = 2;
const DUE_MIN = 1024;

/** What a list is filtered and sorted by. */
export type Listing = Pick<LocksQuery, "q" | "verdict" | "layout" | "node" | "sort">;

/** How many locks there are, whatever the filter. */
export interface Counters {
  readonly counts: Record<LockView["verdict"], number>;
  readonly noExpiry: number;
  readonly problems: number;
}

/**
 * Every lock as a row, and the lists that were asked for lately in their order.
 *
 * A change touches one row; a list learns of it when it is next asked for. So a page of a hundred thousand locks costs no filtering
 * and no sorting while nothing changes, and little while little does.
 */
export class LockIndex {
  readonly #rows = new Map<string, LockRow>();
  readonly #due = new DueRows();
  readonly #lists = new Map<string, SortedRows>();
  readonly #counts = Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Counters["counts"];
  #noExpiry = 0;
  #problems = 0;

  /** Every row as it was when this was called. */
  rows(): readonly LockRow[] {
    return [...this.#rows.values()];
  }

  get counters(): Counters {
    return { counts: { ...this.#counts }, noExpiry: this.#noExpiry, problems: this.#problems };
  }

  get(resource: string): LockRow | undefined {
    return this.#rows.get(resource);
  }

  /** Puts a row in the place of the one its resource has, if any. */
  put(row: LockRow): void {
    this.#retire(this.#rows.get(row.resource));
    this.#rows.set(row.resource, row);
    this.#count(row, 1);
    this.#due.add(row);
    if (this.#due.size > DUE_SURPLUS * this.#rows.size + DUE_MIN) this.#due.sweep();
    for (const [key, list] of this.#lists) {
      list.noteNew(row);
      if (list.isWornOut) this.#lists.delete(key);
    }
  }

  remove(resource: string): void {
    this.#retire(this.#rows.get(resource));
    this.#rows.delete(resource);
  }

  /** Rows that time alone has changed by `now`, each once, at most so many; whoever takes them puts new ones. */
  takeDue(now: number, max: number): readonly LockRow[] {
    const taken: LockRow[] = [];
    if (max <= 0) return taken;
    for (const row of this.#due.take(now)) if (taken.push(row) >= max) break;
    return taken;
  }

  /** The rows that fit, in order. */
  list(listing: Listing, at: Moment): readonly LockRow[] {
    const order = orderOf(listing.sort);
    const isWhole = listing.q === "" && !listing.verdict?.length && listing.layout === undefined && !listing.node;
    if (isWhole) return this.#whole(order).rows;
    const fits = filterOf(listing);
    // Such a list is right for one moment only.
    if (dependsOnTime(listing.q)) return this.#whole(order).rows.filter((row) => fits(row, at));
    const { q, verdict, layout, node } = listing;
    const key = JSON.stringify([order.name, q, verdict, layout, node]);
    const fitsAlways = (row: LockRow) => fits(row, at);
    return this.#kept(key, () => new SortedRows(order, fitsAlways, this.#whole(order).rows.filter(fitsAlways))).rows;
  }

  #whole(order: Order): SortedRows {
    const byResource = () =>
      this.#kept("resource", () => {
        const { compare } = orderOf("resource");
        return new SortedRows(orderOf("resource"), () => true, [...this.#rows.values()].sort(compare));
      });
    if (order.name === "resource") return byResource();
    // From one that is in order of the resource already, so that texts are compared only where keys are texts.
    return this.#kept(order.name, () => new SortedRows(order, () => true, [...byResource().rows].sort(order.compare)));
  }

  #kept(key: string, make: () => SortedRows): SortedRows {
    const list = this.#lists.get(key) ?? make();
    this.#lists.delete(key);
    this.#lists.set(key, list);
    for (const oldest of this.#lists.keys()) {
      if (this.#lists.size <= LISTS_MAX) break;
      this.#lists.delete(oldest);
    }
    return list;
  }

  #retire(row: LockRow | undefined): void {
    if (row === undefined) return;
    row.isCurrent = false;
    this.#count(row, -1);
    for (const list of this.#lists.values()) list.noteGone(row);
  }

  #count({ verdict, noExpiry, isProblem }: LockRow, change: 1 | -1): void {
    this.#counts[verdict] += change;
    if (verdict === "free") return;
    if (noExpiry) this.#noExpiry += change;
    if (isProblem) this.#problems += change;
  }
}

function filterOf({ q, verdict, layout, node }: Listing): (row: LockRow, at: Moment) => boolean {
  const fits = searchedTest(q);
  return (row, at) =>
    (!verdict?.length || verdict.includes(row.verdict)) &&
    (layout === undefined || row.layout?.id === layout) &&
    (node === undefined || row.hasKeyOn(node)) &&
    fits(row, at);
}
