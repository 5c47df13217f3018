import { Ends } from "./ends";
import { earliestEnd, type KeySighting } from "./sighting";

type Row = (KeySighting | null)[];

const NO_ROW: Row = [];

/** What every node showed last: one row per resource, one place in it per node. */
export class SightingTable {
  readonly #rows = new Map<string, Row>();
  readonly #counts: number[];
  readonly #ends: Ends;

  /** @param nodes how many @param now monotonic milliseconds */
  constructor(nodes: number, now: number) {
    this.#counts = new Array<number>(nodes).fill(0);
    this.#ends = new Ends(now);
  }

  resources(): Iterable<string> {
    return this.#rows.keys();
  }

  /** Keys that a node showed. */
  countOf(node: number): number {
    return this.#counts[node] ?? 0;
  }

  /** What each node showed of a resource; empty when none did. */
  row(resource: string): readonly (KeySighting | null)[] {
    return this.#rows.get(resource) ?? NO_ROW;
  }

  at(resource: string, node: number): KeySighting | null {
    return this.#rows.get(resource)?.[node] ?? null;
  }

  /** Rows. */
  get size(): number {
    return this.#rows.size;
  }

  /** What a node has not shown since then, monotonic milliseconds. */
  notShownSince(node: number, since: number): readonly (readonly [string, KeySighting])[] {
    const found: [string, KeySighting][] = [];
    this.#rows.forEach((row, resource) => {
      const sighting = row[node] ?? null;
      if (sighting !== null && sighting.sentAt < since) found.push([resource, sighting]);
    });
    return found;
  }

  put(resource: string, node: number, sighting: KeySighting): void {
    let row = this.#rows.get(resource);
    if (row === undefined) {
      row = new Array<KeySighting | null>(this.#counts.length).fill(null);
      this.#rows.set(resource, row);
    }
    if (row[node] === null) this.#counts[node] = this.countOf(node) + 1;
    row[node] = sighting;
    this.#ends.note(resource, earliestEnd(sighting));
  }

  remove(resource: string, node: number): void {
    const row = this.#rows.get(resource);
    if (row === undefined || row[node] === null) return;
    row[node] = null;
    this.#counts[node] = this.countOf(node) - 1;
    if (row.every((sighting) => sighting === null)) this.#rows.delete(resource);
  }

  /** Forgets keys whose time is over: Redis says so too, also where it cannot be asked now. @returns their resources */
  expire(now: number): readonly string[] {
    const changed: string[] = [];
    for (const resource of this.#ends.take(now)) {
      const row = this.#rows.get(resource) ?? [];
      const over = row.flatMap((sighting, node) => (sighting !== null && earliestEnd(sighting) <= now ? [node] : []));
      for (const node of over) this.remove(resource, node);
      for (const sighting of row) if (sighting !== null) this.#ends.note(resource, earliestEnd(sighting));
      if (over.length > 0) changed.push(resource);
    }
    return changed;
  }
}
