/** What a node says of itself, as often as it is asked. Null: not known. */
export interface NodeFacts {
  readonly node: string;
  readonly runId: string | null;
  /** Calls of FLUSHALL and FLUSHDB since its process began. */
  readonly flushes: number | null;
  /** Node's clock minus our wall clock, milliseconds. */
  readonly clockOffsetMs: number | null;
}

/** Something that makes a node lose keys. It happened somewhere between `from` and `to`, monotonic ms. */
export type Trouble = { readonly node: string; readonly from: number; readonly to: number } & (
  | { readonly kind: "restarted" }
  | { readonly kind: "flushed" }
  /** Its clock was put forward. */
  | { readonly kind: "clock"; readonly stepMs: number }
);

/** Facts are asked for once a second, and may be as old as this when they are looked at, milliseconds. */
const FACTS_AGE_MS_MAX = 1200;
/** A smaller change of the offset may be a slow answer. */
const STEP_MS_MIN = 500;
const TROUBLES_MAX = 200;
/** So long after a step of our own clock the nodes' offsets mean nothing, milliseconds. */
const OWN_STEP_MS = 3000;

interface Known extends NodeFacts {
  readonly at: number;
}

/** Remembers when nodes restarted, were flushed, or had their clock put forward. */
export class NodeTroubles {
  readonly #known = new Map<string, Known>();
  readonly #troubles: Trouble[] = [];
  /** Our wall clock minus our monotonic one. */
  #ownOffset: number | null = null;
  #offsetsCountFrom = Number.NEGATIVE_INFINITY;

  /**
   * Takes in what the nodes say now.
   * @param now, readAt monotonic and wall clock ms: the offsets are against a wall clock that may itself be put forward
   */
  note(facts: readonly NodeFacts[], { now, readAt }: { readonly now: number; readonly readAt: number }): void {
    const ownOffset = readAt - now;
    if (this.#ownOffset !== null && Math.abs(ownOffset - this.#ownOffset) > STEP_MS_MIN / 2) {
      this.#offsetsCountFrom = now + OWN_STEP_MS;
    }
    this.#ownOffset = ownOffset;
    for (const fact of facts) {
      const before = this.#known.get(fact.node);
      if (before !== undefined) this.#compare(before, fact, now);
      this.#known.set(fact.node, { ...merged(before, fact, now >= this.#offsetsCountFrom), at: now });
    }
  }

  /** Whether no node had any trouble since then, monotonic ms. */
  isQuietSince(from: number): boolean {
    return (this.#troubles.at(-1)?.to ?? Number.NEGATIVE_INFINITY) < from;
  }

  /** Troubles of a node that may have happened between two moments, monotonic ms. */
  between(node: string, from: number, to: number): readonly Trouble[] {
    return this.#troubles.filter((trouble) => trouble.node === node && trouble.from <= to && trouble.to >= from);
  }

  #compare(before: Known, { node, runId, flushes, clockOffsetMs }: NodeFacts, now: number): void {
    const when = { node, from: before.at - FACTS_AGE_MS_MAX, to: now };
    if (runId !== null && before.runId !== null && runId !== before.runId) {
      this.#add({ ...when, kind: "restarted" });
    } else if (flushes !== null && before.flushes !== null && flushes > before.flushes) {
      this.#add({ ...when, kind: "flushed" });
    }
    if (clockOffsetMs === null || before.clockOffsetMs === null || now < this.#offsetsCountFrom) return;
    const stepMs = clockOffsetMs - before.clockOffsetMs;
    if (stepMs > STEP_MS_MIN) this.#add({ ...when, kind: "clock", stepMs });
  }

  #add(trouble: Trouble): void {
    this.#troubles.push(trouble);
    if (this.#troubles.length > TROUBLES_MAX) this.#troubles.shift();
  }
}

/** What a silent node does not say is as it was. Offsets that mean nothing are forgotten. */
function merged(before: Known | undefined, now: NodeFacts, countsOffset: boolean): NodeFacts {
  const isSameProcess = now.runId === null || before?.runId === null || now.runId === before?.runId;
  return {
    node: now.node,
    runId: now.runId ?? before?.runId ?? null,
    // The count of another process says nothing about this one's.
    flushes: now.flushes ?? (isSameProcess ? (before?.flushes ?? null) : null),
    clockOffsetMs: countsOffset ? (now.clockOffsetMs ?? before?.clockOffsetMs ?? null) : null,
  };
}
