import { firstPlace, type Order } from "./order";
import type { LockRow } from "./row";

/** Below this many changes a list is always brought up to date, never made anew. */
const CHANGES_MIN = 1000;
/** More arguments than this do not fit on the stack; joining that many pieces takes several times as long. */
const ARGUMENTS_MAX = 20_000;

/** The rows that fit a filter, in order, brought up to date by what changed since they were last asked for. */
export class SortedRows {
  readonly #order: Order;
  readonly #fits: (row: LockRow) => boolean;
  #rows: readonly LockRow[];
  #added: LockRow[] = [];
  #gone: LockRow[] = [];

  /** @param rows in order, and fitting */
  constructor(order: Order, fits: (row: LockRow) => boolean, rows: readonly LockRow[]) {
    this.#order = order;
    this.#fits = fits;
    this.#rows = rows;
  }

  /** So much has changed that making the list anew is cheaper, also in memory. */
  get isWornOut(): boolean {
    return this.#added.length + this.#gone.length > CHANGES_MIN + this.#rows.length / 2;
  }

  noteNew(row: LockRow): void {
    if (this.#fits(row)) this.#added.push(row);
  }

  noteGone(row: LockRow): void {
    if (this.#fits(row)) this.#gone.push(row);
  }

  /** The rows as of now. */
  get rows(): readonly LockRow[] {
    if (this.#added.length > 0 || this.#gone.length > 0) this.#update();
    return this.#rows;
  }

  /**
   * Copies what lies between the changes in whole pieces: looking at each of a hundred thousand rows would take longer than
   * everything else.
   */
  #update(): void {
    const { compare } = this.#order;
    const placeOf = (row: LockRow) => firstPlace(this.#rows, (other) => compare(other, row) >= 0);
    const cuts = this.#gone.flatMap((row) => {
      const at = placeOf(row);
      // One that came and went between two questions was never in here.
      return this.#rows[at] === row ? [{ at, row: null }] : [];
    });
    const added = this.#added.filter(({ isCurrent }) => isCurrent).sort(compare);
    const joins = added.map((row) => ({ at: placeOf(row), row }));
    const pieces: (readonly LockRow[])[] = [];
    let from = 0;
    // Sorting is stable: at one place the new rows stay in order, and come before the old one is cut out.
    for (const { at, row } of [...joins, ...cuts].sort((a, b) => a.at - b.at)) {
      if (at > from) pieces.push(this.#rows.slice(from, at));
      if (row !== null) pieces.push([row]);
      from = row === null ? at + 1 : at;
    }
    pieces.push(this.#rows.slice(from));
    this.#rows = pieces.length > ARGUMENTS_MAX ? pieces.flat() : ([] as LockRow[]).concat(...pieces);
    this.#added = [];
    this.#gone = [];
  }
}
