import type { ReleaseRequest, Token } from "@/lib/redlock";

/** Entries beyond this are dropped, those whose keys die soonest first. */
const ENTRIES_MAX = 1000;

/** Pauses between repeats of a release whose acquire may still be on its way, milliseconds; the last one is kept up. */
const REPEAT_AFTER_MS = [100, 400, 1600, 5000];

/** How much longer than its TTL an acquire in doubt is remembered: it may sit in a hung server's buffer. */
const DOUBT_MS = 60_000;

interface Entry {
  readonly resources: readonly string[];
  readonly token: Token;
  readonly queue: ReleaseRequest["queue"];
  /** Monotonic; by then the key has died by itself. */
  readonly diesAt: number;
  repeats: number;
  /** Monotonic; null = as soon as there is a connection. */
  dueAt: number | null;
  isUnderWay: boolean;
}

/**
 * What became of one release. confirmed: the keys do not hold the token. failed: the server refused to do it (MISCONF, BUSY).
 * cut_off: not sent, or the connection ended before the reply.
 */
export type ReleaseResult = "confirmed" | "failed" | "cut_off";

type SendRelease = (entry: Pick<ReleaseRequest, "resources" | "token" | "queue">) => Promise<ReleaseResult>;

/**
 * Releases that still have to be done on one node.
 *
 * A release that nobody confirmed is repeated when the connection is back, before anything else. One confirmation is enough,
 * unless the acquire of the same token was *in doubt*: sent on an earlier connection that ended before the reply. A hung server
 * may execute that acquire after the release, since two connections have no order; so the release is repeated for a while.
 */
export class CleanUp {
  readonly #entries = new Map<string, Entry>();
  /** Owners of acquires that may still be executed, and until when that is conceivable (monotonic). */
  readonly #doubts = new Map<string, number>();
  readonly #send: SendRelease;
  #timer: NodeJS.Timeout | null = null;

  /** @param send used for repeats on the open connection */
  constructor(send: SendRelease) {
    this.#send = send;
  }

  get size(): number {
    return this.#entries.size;
  }

  /**
   * An acquire (or heal) was sent and its connection ended before the reply.
   * @param owner its token, or the waiter of a lock that queues
   */
  doubt(owner: string, ttlMs: number): void {
    const now = performance.now();
    for (const [known, until] of this.#doubts) {
      if (until >= now && this.#doubts.size < ENTRIES_MAX) break;
      this.#doubts.delete(known);
    }
    this.#doubts.set(owner, now + ttlMs + DOUBT_MS);
  }

  /** Remembers a release if it has to be repeated. @param result what became of it so far */
  add(request: ReleaseRequest, result: ReleaseResult): void {
    const { resources, token, keepTryingForMs, queue } = request;
    const isDone = result === "confirmed" && !this.#doubts.has(ownerOf(request));
    if (isDone || keepTryingForMs <= 0) return;
    this.#makeRoom();
    const diesAt = performance.now() + keepTryingForMs;
    const entry: Entry = { resources, token, queue, diesAt, repeats: 0, dueAt: null, isUnderWay: false };
    this.#entries.set(JSON.stringify([token, ...resources]), entry);
    if (result !== "cut_off") this.#postpone(entry);
  }

  /** Repeats everything, on a connection that has just come up; the sends happen before this returns. */
  repeatAll(send: SendRelease): void {
    for (const [key, entry] of this.#alive()) void this.#repeat(key, entry, send);
  }

  /** Repeats what was waiting for a connection. */
  repeatWaiting(): void {
    for (const [key, entry] of this.#alive()) if (entry.dueAt === null) void this.#repeat(key, entry, this.#send);
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#entries.clear();
    this.#doubts.clear();
  }

  async #repeat(key: string, entry: Entry, send: SendRelease): Promise<void> {
    if (entry.isUnderWay) return;
    entry.dueAt = null;
    entry.isUnderWay = true;
    const result = await send(entry);
    entry.isUnderWay = false;
    if (this.#entries.get(key) !== entry) return;
    if (result === "confirmed" && !this.#doubts.has(ownerOf(entry))) this.#entries.delete(key);
    else if (result !== "cut_off") this.#postpone(entry);
  }

  #postpone(entry: Entry): void {
    entry.dueAt = performance.now() + (REPEAT_AFTER_MS[Math.min(entry.repeats, REPEAT_AFTER_MS.length - 1)] ?? 0);
    entry.repeats += 1;
    this.#arm();
  }

  #arm(): void {
    if (this.#timer !== null) return;
    const due = [...this.#entries.values()].flatMap((entry) => entry.dueAt ?? []);
    if (due.length === 0) return;
    const delayMs = Math.max(1, Math.min(...due) - performance.now());
    this.#timer = setTimeout(() => this.#repeatDue(), delayMs);
    this.#timer.unref();
  }

  #repeatDue(): void {
    this.#timer = null;
    const now = performance.now();
    for (const [key, entry] of this.#alive()) {
      if (entry.dueAt !== null && entry.dueAt <= now) void this.#repeat(key, entry, this.#send);
    }
    this.#arm();
  }

  /** Forgets what has died by itself. */
  #alive(): readonly [string, Entry][] {
    const now = performance.now();
    for (const [key, entry] of this.#entries) {
      if (entry.diesAt > now) continue;
      this.#entries.delete(key);
      this.#doubts.delete(ownerOf(entry));
    }
    return [...this.#entries];
  }

  #makeRoom(): void {
    if (this.#entries.size < ENTRIES_MAX) return;
    const all = this.#alive();
    if (all.length < ENTRIES_MAX) return;
    const soonest = all.reduce((a, b) => (b[1].diesAt < a[1].diesAt ? b : a));
    this.#entries.delete(soonest[0]);
  }
}

/** Who may have left a key: an acquire has a token of its own, but a waiter takes over what its earlier ones left. */
function ownerOf({ token, queue }: Pick<ReleaseRequest, "token" | "queue">): string {
  return queue?.waiter ?? token;
}
