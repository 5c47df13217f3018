import { driftMs, quorumOf } from "@/lib/redlock";
import { type Look, majorityIn, type SeenKey, spokenIn } from "./look";

/** An expiry that moved by less than this did not move: it is rounding and network, milliseconds. */
const JUMP_MS = 50;
/** The second look must be another reading, milliseconds. */
const BETWEEN_LOOKS_MS = 50;

/** What became of the first token on one node. Monotonic ms. */
export interface KeyPast {
  /** The latest end the node ever promised. */
  endAt: number;
  seenAt: number;
  /** When it was found gone; null while it is there. */
  lostAt: number | null;
  /** Its end was moved to before what was promised. */
  shortened: { readonly at: number; readonly byMs: number; readonly leftMs: number } | null;
  isSilent: boolean;
}

/** The second token. */
export interface Rival {
  readonly fingerprint: string;
  readonly label: string | null;
  /** Monotonic and epoch ms of the first look that showed it. */
  readonly at: number;
  readonly readAt: number;
  /** Nodes that have it. */
  votes: number;
  isConfirmed: boolean;
}

/** A token that lost keys before their time: followed until its promise is over, or until it is clear that it was released. */
export class BrokenPromise {
  readonly resource: string;
  readonly fingerprint: string;
  readonly label: string | null;
  /** Monotonic and epoch ms of the first look that showed it. */
  readonly since: number;
  readonly heldFrom: number;
  readonly membership: number;
  readonly keys = new Map<string, KeyPast>();
  /** Monotonic ms: until then its holder may believe. */
  until: number;
  rival: Rival | null = null;
  /** When the last key was found gone or shortened. */
  changedAt = 0;
  readonly #quorum: number;

  /** @param holder its keys @param heldFrom epoch ms of the first look that showed the token; null = this one */
  constructor(resource: string, holder: readonly SeenKey[], look: Look, heldFrom: number | null) {
    const [first] = holder;
    this.resource = resource;
    this.fingerprint = first?.fingerprint ?? "";
    this.label = first?.label ?? null;
    this.heldFrom = heldFrom ?? look.readAt;
    this.since = look.now - (look.readAt - this.heldFrom);
    this.membership = look.membership;
    this.#quorum = quorumOf(look.membership);
    for (const { node, endAt, seenAt } of holder) {
      this.keys.set(node, { endAt, seenAt, lostAt: null, shortened: null, isSilent: false });
    }
    this.until = this.#promise();
  }

  /** Whether nothing is missing: every key that was seen is there, with the time it was promised. */
  get isWhole(): boolean {
    return [...this.keys.values()].every(({ lostAt, shortened }) => lostAt === null && shortened === null);
  }

  /** Whether the keys alone leave room for something other than a release: a majority is there, or had its end moved. */
  get isInDoubt(): boolean {
    const keys = [...this.keys.values()].filter(
      (past) => past.shortened !== null || (past.lostAt === null && !past.isSilent),
    );
    return keys.length >= this.#quorum;
  }

  /** Takes in another reading. What comes after the second token is confirmed no longer matters. */
  take(look: Look): void {
    if (this.rival?.isConfirmed) return;
    const own = new Map(
      spokenIn(look).keys.flatMap((key) => (key.fingerprint === this.fingerprint ? [[key.node, key] as const] : [])),
    );
    for (const [node, key] of own) {
      if (!this.keys.has(node)) this.keys.set(node, { ...key, lostAt: null, shortened: null, isSilent: false });
    }
    for (const [node, past] of this.keys) this.#update(past, own.get(node), look, look.silent.includes(node));
    if (own.size >= this.#quorum) this.until = Math.max(this.until, this.#promise());
    this.#meet(look);
  }

  #update(past: KeyPast, key: SeenKey | undefined, { now }: Look, isSilent: boolean): void {
    past.isSilent = isSilent;
    if (isSilent) return;
    if (key === undefined) {
      if (past.lostAt === null) this.changedAt = now;
      past.lostAt ??= now;
      return;
    }
    past.lostAt = null;
    past.seenAt = key.seenAt;
    // Two ends that never come are no different; their difference is no number.
    const byMs = past.endAt === key.endAt ? 0 : past.endAt - key.endAt;
    if (byMs <= JUMP_MS) {
      past.endAt = Math.max(past.endAt, key.endAt);
      past.shortened = null;
    } else if (past.shortened === null) {
      past.shortened = { at: now, byMs, leftMs: Math.max(0, key.endAt - now) };
      this.changedAt = now;
    }
  }

  /** Notes the second token, and confirms it at another look. */
  #meet(look: Look): void {
    const [holder, ...others] = majorityIn(spokenIn(look));
    if (holder === undefined || holder.fingerprint === this.fingerprint) {
      this.rival = null;
      return;
    }
    const votes = others.length + 1;
    if (this.rival?.fingerprint === holder.fingerprint) {
      this.rival.isConfirmed = look.now - this.rival.at >= BETWEEN_LOOKS_MS;
      this.rival.votes = votes;
      return;
    }
    const { fingerprint, label } = holder;
    // From the promised end on there is no broken promise, only the next holder.
    const isEarly = look.now < this.until;
    const { now: at, readAt } = look;
    this.rival = isEarly ? { fingerprint, label, at, readAt, votes, isConfirmed: false } : null;
  }

  /** The q-th largest end, less what the clocks may disagree by. Source: `algorithm.md`, "Held for at least". */
  #promise(): number {
    const ends = [...this.keys.values()].sort((a, b) => b.endAt - a.endAt);
    const deciding = ends[this.#quorum - 1];
    if (deciding === undefined) return Number.NEGATIVE_INFINITY;
    const { endAt, seenAt } = deciding;
    return Number.isFinite(endAt) ? endAt - driftMs(Math.max(0, endAt - seenAt)) : endAt;
  }
}
