import type { VerdictKind } from "@/lib/redlock";

/** As many as there are timelines: what is pushed out would be forgotten there, too. */
const KEPT_MAX = 5000;

/** A verdict that rests on nothing but the silence of nodes. */
export interface Silence<Seen> {
  /** The verdict before it. */
  readonly was: VerdictKind;
  readonly seen: Seen;
}

/**
 * Verdicts that changed although no node had another key, kept back until they have lasted: whoever hears late for a moment, this console
 * among others, has not seen anything happen to a lock.
 */
export class Silences<Seen extends { readonly at: number; readonly verdict: VerdictKind }> {
  readonly #lastingMs: number;
  readonly #kept = new Map<string, Silence<Seen>>();

  /** @param lastingMs what is over sooner never was, milliseconds */
  constructor(lastingMs: number) {
    this.#lastingMs = lastingMs;
  }

  /** Keeps a change back. One that leads to where the last one came from takes both away. */
  note(resource: string, was: VerdictKind, seen: Seen): void {
    const before = this.#kept.get(resource);
    if (before?.was === seen.verdict) this.#kept.delete(resource);
    else this.#kept.set(resource, { was: before?.was ?? was, seen });
    if (this.#kept.size <= KEPT_MAX) return;
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined) this.#kept.delete(oldest);
  }

  /** Takes out what is kept of a resource, with whether it has lasted until `at`. */
  take(resource: string, at: number): (Silence<Seen> & { readonly hasLasted: boolean }) | null {
    const silence = this.#kept.get(resource);
    if (silence === undefined) return null;
    this.#kept.delete(resource);
    return { ...silence, hasLasted: this.#hasLasted(silence, at) };
  }

  /** Resources of which something has lasted until `at`. */
  lasting(at: number): readonly string[] {
    return [...this.#kept].flatMap(([resource, silence]) => (this.#hasLasted(silence, at) ? [resource] : []));
  }

  #hasLasted({ seen }: Silence<Seen>, at: number): boolean {
    return at - seen.at >= this.#lastingMs;
  }
}
