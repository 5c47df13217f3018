/** Ends are looked for in steps of so many milliseconds. */
const SLOT_MS = 50;

/** When keys die by themselves: one entry per resource, so that looking for what is over does not look at all of them. */
export class Ends {
  readonly #slots = new Map<number, string[]>();
  /** The slot that counts for a resource; others it stands in are of ends that were moved. */
  readonly #slotOf = new Map<string, number>();
  #passed: number;

  /** @param now monotonic milliseconds */
  constructor(now: number) {
    this.#passed = Math.floor(now / SLOT_MS);
  }

  /** Remembers an end, if it is the first of its resource. @param endAt monotonic milliseconds; infinite = never */
  note(resource: string, endAt: number): void {
    if (!Number.isFinite(endAt)) return;
    const slot = Math.max(Math.floor(endAt / SLOT_MS), this.#passed) + 1;
    const before = this.#slotOf.get(resource);
    if (before !== undefined && before <= slot) return;
    this.#slotOf.set(resource, slot);
    const slotted = this.#slots.get(slot);
    if (slotted === undefined) this.#slots.set(slot, [resource]);
    else slotted.push(resource);
  }

  /** Takes out the resources of which an end has passed. An end that was moved later is taken out as well: note it again. */
  take(now: number): readonly string[] {
    const due: string[] = [];
    for (const until = Math.floor(now / SLOT_MS); this.#passed < until; ) {
      this.#passed += 1;
      for (const resource of this.#slots.get(this.#passed) ?? []) {
        if (this.#slotOf.get(resource) !== this.#passed) continue;
        this.#slotOf.delete(resource);
        due.push(resource);
      }
      this.#slots.delete(this.#passed);
    }
    return due;
  }
}
