import type { NodeId } from "@/lib/redlock";
import { conditionOf, faultsOf, type Outlook, stateOf, unsafeReason } from "./condition";
import type { Connection, Reply, Send } from "./connection";
import { type Facts, factsFromInfo, NO_FACTS, persistenceWords } from "./facts";
import type { MasterStatus } from "./master";
import type { ServerIds } from "./server-ids";
import { withinLimit } from "./time-limit";

/** Keeps what is known of one node, asks it again on request, and tells when its state or condition changes. */
export class Health {
  readonly #id: NodeId;
  readonly #serverIds: ServerIds;
  readonly #nodeTimeoutMs: number;
  readonly #listeners = new Set<() => void>();
  #locks: Connection | null = null;
  #reads: Connection | null = null;
  #facts: Facts = NO_FACTS;
  #roundTripMs: number | null = null;
  #clockOffsetMs: number | null = null;
  #persistence: string | null = null;
  #keys: number | null = null;
  #asking: Promise<void> | null = null;
  #lastSummary = "";

  constructor(options: { readonly id: NodeId; readonly serverIds: ServerIds; readonly nodeTimeoutMs: number }) {
    this.#id = options.id;
    this.#serverIds = options.serverIds;
    this.#nodeTimeoutMs = options.nodeTimeoutMs;
    this.#serverIds.register(options.id);
  }

  /** @param locks carries votes @param reads carries questions, so that a slow one does not delay a vote */
  watch(locks: Connection, reads: Connection): void {
    this.#locks = locks;
    this.#reads = reads;
    this.#lastSummary = this.#summary();
  }

  /** Why votes must not be asked of this node, although it answers; null when they may. */
  unsafeReason(): string | null {
    return unsafeReason({ facts: this.#facts, twin: this.#serverIds.twinOf(this.#id) });
  }

  /** Learns what kind of server this is, on a connection that is not open yet: before the first vote. */
  async introduce(send: Send): Promise<Reply> {
    const reply = await send("INFO");
    this.#learn(reply);
    return reply;
  }

  status(): MasterStatus {
    const outlook = this.#outlook();
    const answeredAt = Math.max(this.#locks?.lastAnswerAt ?? -1, this.#reads?.lastAnswerAt ?? -1);
    return {
      state: stateOf(outlook),
      condition: conditionOf(outlook),
      quarantinedForMs: 0,
      role: this.#facts.role,
      version: this.#facts.version,
      runId: this.#facts.runId,
      uptimeMs: this.#facts.uptimeMs,
      roundTripMs: this.#roundTripMs,
      clockOffsetMs: this.#clockOffsetMs,
      persistence: this.#persistence,
      evictionPolicy: this.#facts.evictionPolicy,
      keys: this.#keys,
      lastAnswerMsAgo: answeredAt < 0 ? null : Math.max(0, performance.now() - answeredAt),
      faults: faultsOf(outlook),
    };
  }

  /** Asks the node how it is; waits no longer than the node time limit, and one question is under way at a time. */
  async probe(): Promise<MasterStatus> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    await withinLimit(this.#asking, this.#nodeTimeoutMs);
    return this.status();
  }

  onChange(listener: () => void): () => void {
    // Wrapped, so that the same function given twice is called twice and unsubscribed once.
    const entry = () => listener();
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }

  /** Tells the listeners if the state or condition is another one now. */
  review(): void {
    const summary = this.#summary();
    if (summary === this.#lastSummary) return;
    this.#lastSummary = summary;
    for (const listener of [...this.#listeners]) listener();
  }

  async #ask(): Promise<void> {
    const locks = this.#locks;
    const reads = this.#reads;
    if (locks === null || reads === null) return;
    // A heartbeat on the lock connection too: an idle connection whose peer vanished would only be noticed by the next vote.
    const heartbeat = locks.hasUnanswered ? null : locks.send("PING");
    const wallBefore = Date.now();
    const before = performance.now();
    const time = reads.send("TIME").then((reply) => this.#learnTime(reply, { before, wallBefore }));
    const [info, size, fsync, save] = await Promise.all([
      reads.send("INFO"),
      reads.send("DBSIZE"),
      reads.send("CONFIG", "GET", "appendfsync"),
      reads.send("CONFIG", "GET", "save"),
      time,
      heartbeat,
    ]);
    this.#learn(info);
    if (size.kind === "answer") this.#keys = Number(size.value);
    // A user without CONFIG, or a provider that renamed it, costs one word on the page and nothing else.
    if (info.kind === "answer") this.#persistence = persistenceWords(this.#facts, settingOf(fsync), settingOf(save));
    this.review();
  }

  #learn(info: Reply): void {
    if (info.kind === "answer") this.#facts = factsFromInfo(String(info.value));
    else if (info.kind === "error") this.#facts = { ...this.#facts, refusal: info.reason };
    else return;
    this.#serverIds.report(this.#id, this.#facts.runId);
  }

  #learnTime(reply: Reply, sent: { readonly before: number; readonly wallBefore: number }): void {
    if (reply.kind !== "answer" && reply.kind !== "error") return;
    this.#roundTripMs = performance.now() - sent.before;
    if (!Array.isArray(reply.kind === "answer" ? reply.value : null)) return;
    const [seconds, microseconds] = (reply as { readonly value: readonly unknown[] }).value;
    const nodeTime = Number(seconds) * 1000 + Number(microseconds) / 1000;
    // The node read its clock somewhere within the round trip; the middle is wrong by half of it at most.
    this.#clockOffsetMs = nodeTime - (sent.wallBefore + this.#roundTripMs / 2);
  }

  #outlook(): Outlook {
    const unwatched = { isOpen: false, silentForMs: 0, reason: "connecting" };
    return {
      locks: this.#locks ?? unwatched,
      reads: this.#reads ?? unwatched,
      facts: this.#facts,
      roundTripMs: this.#roundTripMs,
      nodeTimeoutMs: this.#nodeTimeoutMs,
      twin: this.#serverIds.twinOf(this.#id),
    };
  }

  #summary(): string {
    const outlook = this.#outlook();
    return `${stateOf(outlook)} ${conditionOf(outlook)}`;
  }
}

/** The value out of the answer to CONFIG GET of one name; null when it was refused or is not known there. */
function settingOf(reply: Reply): string | null {
  if (reply.kind !== "answer" || !Array.isArray(reply.value)) return null;
  const value: unknown = reply.value[1];
  return value === undefined ? null : String(value);
}
