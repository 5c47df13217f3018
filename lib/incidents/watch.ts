import type { AuditEntry, Incident, IncidentList } from "@/lib/contract";
import { BrokenPromise } from "./broken-promise";
import { fatesOf, isBroken, leadingCause, type Suspects } from "./fates";
import { ForcedActions } from "./forced-actions";
import { type Look, majorityIn } from "./look";
import { type NodeFacts, NodeTroubles } from "./node-troubles";
import { incidentOf } from "./report";

/** Incidents that are remembered; the oldest goes first. */
const INCIDENTS_MAX = 200;
/** Tokens that are followed after they lost a key; with more hand-overs than this within `GIVE_UP_MS` the oldest are not. */
const PROMISES_MAX = 5000;
/** How often the nodes' facts are looked at, milliseconds. */
const FACTS_EVERY_MS = 500;
/** An incident is told so long after the second token was seen: by then the nodes have said what happened to them. */
const SETTLE_MS = 2000;
/** Where nothing explains the loss of a key by then, it was released. */
const GIVE_UP_MS = 5000;

export interface IncidentWatchOptions {
  /** What the nodes say of themselves, from what is known; asks nobody. */
  readonly nodes: () => readonly NodeFacts[];
  /** Epoch ms. */
  readonly since: number;
}

/**
 * Notices that a second token reached a majority although the first one's time was not over and nothing speaks for its release.
 *
 * Two readings must show the second token, and the loss of the first on a majority of nodes must be explained by something other
 * than a release, or not have happened at all. A key that somebody deletes by hand on every node looks like a release and is none
 * of this: silence is preferred to a false alarm.
 */
export class IncidentWatch {
  readonly #options: IncidentWatchOptions;
  readonly #promises = new Map<string, BrokenPromise>();
  readonly #troubles = new NodeTroubles();
  readonly #actions = new ForcedActions();
  readonly #incidents: Incident[] = [];
  readonly #listeners = new Set<(incident: Incident) => void>();
  #askedAt = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(options: IncidentWatchOptions) {
    this.#options = options;
  }

  /** Newest first. @param readAt epoch ms */
  list(readAt: number): IncidentList {
    return { readAt, since: this.#options.since, incidents: this.#incidents.toReversed() };
  }

  /** @returns unsubscribes */
  onIncident(listener: (incident: Incident) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  noteAction(entry: AuditEntry): void {
    this.#actions.note(entry);
  }

  /** Whether readings of this resource are of use, also when nothing changed. */
  isFollowing(resource: string): boolean {
    return this.#promises.has(resource);
  }

  /** Resources to be read once more. */
  *wanted(): Iterable<string> {
    for (const [resource, promise] of this.#promises) {
      const { rival } = promise;
      if (rival === null || rival.isConfirmed || this.#isPlainRelease(promise)) continue;
      if (isBroken(promise, fatesOf(promise, this.#suspects(promise)))) yield resource;
    }
  }

  /**
   * Takes in a reading of a resource.
   *
   * @param before what was known of it; null when it was not listed
   * @param heldFrom epoch ms at which the token of `before` was seen first
   */
  observe(resource: string, before: Look | null, now: Look, heldFrom: number | null): void {
    const promise = this.#promises.get(resource) ?? promiseOf(resource, before, now, heldFrom);
    if (promise === null) return;
    promise.take(now);
    if (promise.isWhole) this.#promises.delete(resource);
    else this.#promises.set(resource, promise);
    const [oldest] = this.#promises.keys();
    if (this.#promises.size > PROMISES_MAX && oldest !== undefined) this.#promises.delete(oldest);
  }

  /** Looks at the nodes and decides what can be decided. @param now, readAt monotonic and epoch ms */
  tick(now: number, readAt: number): void {
    if (now - this.#askedAt < FACTS_EVERY_MS) return;
    this.#askedAt = now;
    this.#troubles.note(this.#options.nodes(), { now, readAt });
    for (const promise of [...this.#promises.values()]) this.#decide(promise, now, readAt);
  }

  #decide(promise: BrokenPromise, now: number, readAt: number): void {
    const { rival, resource } = promise;
    if (this.#isPlainRelease(promise) && now - promise.changedAt <= GIVE_UP_MS) return;
    const suspects = this.#suspects(promise);
    const fates = fatesOf(promise, suspects);
    const isExplained = isBroken(promise, fates);
    if (rival === null) {
      const isReleased = !isExplained && now - promise.changedAt > GIVE_UP_MS;
      if (isReleased || now > promise.until) this.#promises.delete(resource);
      return;
    }
    if (rival.isConfirmed && isExplained && leadingCause(fates) !== null && now - rival.at >= SETTLE_MS) {
      this.#promises.delete(resource);
      this.#count += 1;
      const epochOf = (at: number) => Math.round(readAt - (now - at));
      const id = `${rival.readAt}-${this.#count}`;
      this.#raise(incidentOf({ promise, rival, fates, actions: suspects.actions }, { id, epochOf }));
    } else if (now - rival.at > GIVE_UP_MS) this.#promises.delete(resource);
  }

  /** Most hand-overs are releases: these must cost next to nothing, however many there are. */
  #isPlainRelease({ resource, isInDoubt, since }: BrokenPromise): boolean {
    return !isInDoubt && !this.#actions.isAbout(resource) && this.#troubles.isQuietSince(since);
  }

  #suspects({ resource, fingerprint, since }: BrokenPromise): Suspects {
    return {
      // What may have happened before the token was there cannot have taken it.
      troublesOf: (node, from, to) => this.#troubles.between(node, from, to).filter((trouble) => trouble.from >= since),
      actions: this.#actions.find(resource, fingerprint),
    };
  }

  #raise(incident: Incident): void {
    this.#incidents.push(incident);
    if (this.#incidents.length > INCIDENTS_MAX) this.#incidents.shift();
    for (const listener of this.#listeners) listener(incident);
  }
}

/** What the holder in `before` was promised; null when there is none, or its time is over. */
function promiseOf(resource: string, before: Look | null, now: Look, heldFrom: number | null): BrokenPromise | null {
  const holder = before === null ? [] : majorityIn(before);
  if (holder.length === 0) return null;
  const promise = new BrokenPromise(resource, holder, now, heldFrom);
  return promise.until <= now.now ? null : promise;
}
