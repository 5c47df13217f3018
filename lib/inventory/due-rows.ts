import type { LockRow } from "./row";

/** Rows in the order in which time alone changes them: a binary heap by `nextChangeAt`. */
export class DueRows {
  #heap: LockRow[] = [];

  /** Entries, those of replaced rows among them. */
  get size(): number {
    return this.#heap.length;
  }

  /** A row that nothing but an event can change is not kept. */
  add(row: LockRow): void {
    if (!Number.isFinite(row.nextChangeAt)) return;
    this.#heap.push(row);
    this.#rise(this.#heap.length - 1);
  }

  /** Takes out the rows whose time has come by `now`; replaced ones are dropped. */
  *take(now: number): Iterable<LockRow> {
    for (let first = this.#heap[0]; first !== undefined && first.nextChangeAt <= now; first = this.#heap[0]) {
      const last = this.#heap.pop();
      if (last !== undefined && last !== first) {
        this.#heap[0] = last;
        this.#sink(0);
      }
      if (first.isCurrent) yield first;
    }
  }

  /** Forgets replaced rows: locks that are renewed for ever leave one behind each time. */
  sweep(): void {
    this.#heap = this.#heap.filter(({ isCurrent }) => isCurrent);
    // From the last parent up: sorting a hundred thousand rows would hold everybody up for longer.
    for (let at = (this.#heap.length >> 1) - 1; at >= 0; at -= 1) this.#sink(at);
  }

  #rise(from: number): void {
    const heap = this.#heap;
    for (let at = from; at > 0; ) {
      const above = (at - 1) >> 1;
      const [row, parent] = [heap[at], heap[above]];
      if (row === undefined || parent === undefined || parent.nextChangeAt <= row.nextChangeAt) return;
      heap[at] = parent;
      heap[above] = row;
      at = above;
    }
  }

  #sink(from: number): void {
    const heap = this.#heap;
    for (let at = from; ; ) {
      const [row, left, right] = [heap[at], heap[2 * at + 1], heap[2 * at + 2]];
      if (row === undefined || left === undefined) return;
      const isRight = right !== undefined && right.nextChangeAt < left.nextChangeAt;
      const child = isRight ? right : left;
      if (row.nextChangeAt <= child.nextChangeAt) return;
      const below = isRight ? 2 * at + 2 : 2 * at + 1;
      heap[at] = child;
      heap[below] = row;
      at = below;
    }
  }
}
