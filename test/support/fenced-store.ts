/**
 * A resource that checks fencing tokens: what a database does in one statement, `UPDATE … SET fence = $1 WHERE fence <= $1`.
 *
 * It must check and store in the same step, compare numbers and not text, and be claimed before it is read: fences stop an old
 * holder's write behind a new one's, but not a new holder's read before an old one's write.
 */
export class FencedStore {
  #fence = 0;
  #value = "";

  /** Shuts out every older holder. @returns the value as it will stay until a holder as new as this one writes; null when refused */
  claim(fence: number): string | null {
    return this.#admits(fence) ? this.#value : null;
  }

  /** @returns whether it was written */
  write(fence: number, value: string): boolean {
    if (!this.#admits(fence)) return false;
    this.#value = value;
    return true;
  }

  get value(): string {
    return this.#value;
  }

  #admits(fence: number): boolean {
    if (!Number.isSafeInteger(fence)) throw new TypeError(`fence must be an integer, got ${fence}`);
    if (fence < this.#fence) return false;
    this.#fence = fence;
    return true;
  }
}
