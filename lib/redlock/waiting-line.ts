/** A waiter's place in the line for one set of resources. */
export interface Place {
  /** The first in line is the one who tries; those behind it would only be refused for the same reason. */
  isFirst(): boolean;
  /** True when a lock of these resources was released since the last call: try again at once. */
  takeWake(): boolean;
  /** Called once when that happens. */
  onWake: (() => void) | null;
  /** Whether a release in this process is a reason to try. True until it is set. */
  heedsReleases: boolean;
  /** Whether it is woken when it becomes the first. False until it is set. */
  wakesWhenFirst: boolean;
  /** As for a release. */
  wake(): void;
  leave(): void;
}

/**
 * Lines of the waiters of this process, first come, first served, one line per set of resources.
 *
 * Waiters that all poll by themselves multiply the load on the nodes and starve each other; a wake-up for all of them is a
 * stampede. So one of them tries at a time, and a release in this process wakes only that one.
 */
export class WaitingLines {
  readonly #lines = new Map<string, Set<Waiter>>();

  /** Takes the last place. Must be left, whatever happens. */
  join(resources: readonly string[]): Place {
    const name = lineOf(resources);
    const line = this.#lines.get(name) ?? new Set<Waiter>();
    this.#lines.set(name, line);
    const waiter = new Waiter(line, () => {
      const wasFirst = waiter.isFirst();
      line.delete(waiter);
      if (line.size === 0) this.#lines.delete(name);
      const next = wasFirst ? first(line) : undefined;
      if (next?.wakesWhenFirst) next.wake();
    });
    line.add(waiter);
    return waiter;
  }

  /** Tells the first in line that the resources may be free. */
  wake(resources: readonly string[]): void {
    if (this.#lines.size === 0) return;
    const waiter = first(this.#lines.get(lineOf(resources)));
    if (waiter?.heedsReleases) waiter.wake();
  }

  /** Lines with somebody in them. */
  get size(): number {
    return this.#lines.size;
  }
}

class Waiter implements Place {
  onWake: (() => void) | null = null;
  heedsReleases = true;
  wakesWhenFirst = false;
  readonly #line: ReadonlySet<Waiter>;
  readonly leave: () => void;
  #isWoken = false;

  constructor(line: ReadonlySet<Waiter>, leave: () => void) {
    this.#line = line;
    this.leave = leave;
  }

  isFirst(): boolean {
    return first(this.#line) === this;
  }

  takeWake(): boolean {
    const wasWoken = this.#isWoken;
    this.#isWoken = false;
    return wasWoken;
  }

  wake(): void {
    this.#isWoken = true;
    this.onWake?.();
  }
}

function first<Item>(items: Iterable<Item> | undefined): Item | undefined {
  for (const item of items ?? []) return item;
  return undefined;
}

/** Any text can be part of a name, so the names are quoted before they are joined. */
function lineOf(resources: readonly string[]): string {
  return JSON.stringify(resources);
}
