import type { NodeId } from "@/lib/redlock";
import { ClockWatch } from "./clock-watch";
import type { Clocks } from "./clocks";
import { clockReason, conditionOf, faultsOf, grantRefusal, type Outlook, stateOf, unsafeReason } from "./condition";
import type { Connection, Reply, Send } from "./connection";
import { hasAnswered } from "./connection-reason";
import { Denial } from "./denial";
import { durabilityOf, type Facts, factsFromInfo, NO_FACTS, persistenceWords, settingOf } from "./facts";
import { askFigures, askInfo } from "./figures";
import type { Guard } from "./guard";
import type { MasterStatus } from "./master";
import { isUndrainable, NodeGuard, type ServerIdentity } from "./node-guard";
import { Rights } from "./rights";
import { runScript } from "./run-script";
import { ADMIT } from "./scripts";
import type { ServerIds } from "./server-ids";
import { withinLimit } from "./time-limit";
import { admissionOf } from "./votes";

export interface HealthOptions {
  readonly id: NodeId;
  readonly nodeTimeoutMs: number;
  /** These three are shared by the nodes of one membership. */
  readonly serverIds: ServerIds;
  readonly clocks: Clocks;
  readonly guard: Guard;
}

/** No fence was ever issued further ahead of a clock than this, milliseconds: by then the clocks have passed all that were lost. */
const FENCES_DOUBTFUL_MS = 10 * 60 * 1000;

/** Keeps what is known of one node, asks it again on request, and tells when its state or condition changes. */
export class Health {
  readonly clock: ClockWatch;
  readonly guard: NodeGuard;
  readonly denial = new Denial();
  readonly #options: HealthOptions;
  readonly #listeners = new Set<() => void>();
  #locks: Connection | null = null;
  #reads: Connection | null = null;
  #facts: Facts = NO_FACTS;
  #persistence: string | null = null;
  /** Of the server with this run_id only: another one may be set up otherwise. */
  #durability: ServerIdentity = { runId: null, durability: "?" };
  #keys: number | null = null;
  /** Monotonic; when its fence counters were last given a beginning that may be too low. */
  #fencesGuessedAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | null = null;
  /** Monotonic; when it was last asked. */
  #askedAt = Number.NEGATIVE_INFINITY;
  readonly #rights = new Rights();
  #lastSummary = "";

  constructor(options: HealthOptions) {
    this.#options = options;
    this.clock = new ClockWatch({ ...options, isGuarded: options.guard.mode !== "off" });
    this.guard = new NodeGuard(options.guard, this.clock.time, () => this.#identity());
    options.serverIds.register(options.id);
  }

  /** @param locks carries votes @param reads carries questions, so that a slow one does not delay a vote */
  watch(locks: Connection, reads: Connection): void {
    this.#locks = locks;
    this.#reads = reads;
    this.#lastSummary = this.#summary();
  }

  /** Why votes must not be asked of this node, although it answers; null when they may. */
  unsafeReason(): string | null {
    const outlook = this.#outlook();
    // What is being looked at is settled by the vote itself; where that cannot be, the server's words are all there is.
    const isBlind = outlook.standing.kind === "unverified" && this.#facts.runId === null;
    return (
      unsafeReason(outlook) ??
      clockReason(outlook) ??
      this.clock.reason ??
      (isBlind ? "its run_id is not known, which the restart guard needs" : null)
    );
  }

  /** A vote was refused by the guard, or the server's clock was read on the connection of votes: the first words on it, or too late. */
  barred(): void {
    this.clock.report();
    if (this.clock.time.doubt !== null) void this.probe();
    this.review();
  }

  /** Its fence counters were restored although nobody could know how far they had come. */
  fencesGuessed(): void {
    this.#fencesGuessedAt = performance.now();
    this.review();
  }

  /** Learns what kind of server this is, on a connection that is not open yet: before the first vote. */
  async introduce(send: Send): Promise<Reply> {
    const [reply] = await Promise.all([askInfo(send), this.#rights.look(send)]);
    this.#learn(reply);
    return reply;
  }

  status(): MasterStatus {
    const outlook = this.#outlook();
    const { standing } = outlook;
    const answeredAt = Math.max(this.#locks?.lastAnswerAt ?? -1, this.#reads?.lastAnswerAt ?? -1);
    return {
      state: stateOf(outlook),
      condition: conditionOf(outlook),
      quarantinedForMs: standing.kind === "quarantined" ? standing.forMs : 0,
      quarantineReason: standing.kind === "quarantined" ? standing.reason : null,
      isUndrainable: stateOf(outlook) !== "down" && isUndrainable(standing),
      role: this.#facts.role,
      version: this.#facts.version,
      runId: this.#facts.runId,
      uptimeMs: this.#facts.uptimeMs,
      roundTripMs: this.clock.roundTripMs,
      clockOffsetMs: this.clock.offsetMs,
      persistence: this.#persistence,
      evictionPolicy: this.#facts.evictionPolicy,
      keys: this.#keys,
      flushes: this.#facts.flushes,
      refusesGrants: grantRefusal(outlook) ?? this.clock.reason,
      lastAnswerMsAgo: answeredAt < 0 ? null : Math.max(0, performance.now() - answeredAt),
      faults: faultsOf(outlook),
    };
  }

  /**
   * Asks the node how it is; waits no longer than the node time limit, and one question is under way at a time.
   *
   * @param isRoutine leaves out what votes since the last time have shown
   */
  async probe(isRoutine = false): Promise<MasterStatus> {
    this.#asking ??= this.#ask(isRoutine).finally(() => {
      this.#asking = null;
    });
    await withinLimit(this.#asking, this.#options.nodeTimeoutMs);
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

  async #ask(isRoutine: boolean): Promise<void> {
    const locks = this.#locks;
    const reads = this.#reads;
    if (locks === null || reads === null) return;
    const isHeard = isRoutine && (locks.lastAnswerAt ?? Number.NEGATIVE_INFINITY) > this.#askedAt;
    const hasVoted = this.guard.takeVoted() && isRoutine;
    this.#askedAt = performance.now();
    // A heartbeat on the lock connection too: an idle connection whose peer vanished would only be noticed by the next vote.
    const heartbeat = isHeard || locks.hasUnanswered ? null : locks.send("PING");
    // In a write of its own: what comes behind it would count as its round trip.
    const time = this.clock.ask(reads.send);
    const figures = reads.together(() => askFigures(reads.send));
    const [{ info, keys, fsync, save }] = await Promise.all([figures, time, heartbeat]);
    this.#learn(info);
    if (keys !== null) this.#keys = keys;
    // A user without CONFIG, or a provider that renamed it, costs one word on the page and nothing else.
    if (info.kind === "answer") {
      this.#persistence = persistenceWords(this.#facts, settingOf(fsync), settingOf(save));
      if (hasAnswered(fsync)) {
        this.#durability = { runId: this.#facts.runId, durability: durabilityOf(this.#facts, settingOf(fsync)) };
      }
    }
    await this.#rights.lookSometimes(reads.send);
    // A vote looks at the marker as well, on the server's side.
    if (!hasVoted || this.guard.standing().kind !== "admitted" || this.#isClockInDoubt) await this.#askGuard(reads);
    this.review();
  }

  /** Looks at the node's marker, so that a quarantine begins when the node is back and not when it is first needed. */
  async #askGuard(reads: Connection): Promise<void> {
    if (!this.guard.isOn || unsafeReason(this.#outlook()) !== null) return;
    const { refusal, runId } = this.#facts;
    if (refusal !== null || runId === null) return this.guard.noteRefusal(refusal ?? "INFO does not tell its run_id");
    const { keys, args } = this.guard.words(0);
    const { isWrong } = this.clock;
    const reply = await runScript(reads.send, ADMIT, { keys, args: [this.#isClockInDoubt ? "clock" : "", 0, ...args] });
    const admission = reply.kind === "answer" ? admissionOf(reply.value) : null;
    if (admission !== null) {
      this.guard.learn(admission);
      this.clock.wasWrong = isWrong;
    } else if (reply.kind === "error") this.guard.noteRefusal(reply.reason);
  }

  get #isClockInDoubt(): boolean {
    return this.clock.isWrong || this.clock.wasWrong;
  }

  #identity(): ServerIdentity {
    const { runId } = this.#facts;
    return { runId, durability: runId === this.#durability.runId ? this.#durability.durability : "?" };
  }

  #learn(info: Reply): void {
    if (info.kind === "answer") this.#facts = factsFromInfo(String(info.value));
    else if (info.kind === "error") this.#facts = { ...this.#facts, refusal: info.reason };
    else return;
    this.#options.serverIds.report(this.#options.id, this.#facts.runId);
  }

  #outlook(): Outlook {
    const unwatched = { isOpen: false, silentForMs: 0, reason: "connecting" };
    return {
      locks: this.#locks ?? unwatched,
      reads: this.#reads ?? unwatched,
      facts: this.#facts,
      denial: this.denial.words,
      roundTripMs: this.clock.quickRoundTripMs,
      nodeTimeoutMs: this.#options.nodeTimeoutMs,
      missingRights: this.#rights.missing,
      missingForFair: this.#rights.missingForFair,
      twin: this.#options.serverIds.twinOf(this.#options.id),
      standing: this.guard.standing(),
      areFencesDoubtful: performance.now() - this.#fencesGuessedAt < FENCES_DOUBTFUL_MS,
      clockDeviationMs: this.clock.deviationMs,
      clockToleranceMs: this.#options.clocks.toleranceMs,
    };
  }

  #summary(): string {
    const outlook = this.#outlook();
    return `${stateOf(outlook)} ${conditionOf(outlook)} ${outlook.standing.kind}`;
  }
}
