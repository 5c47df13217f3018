import type { Fault } from "@/lib/redlock";
import { MARKER_KEY } from "./admission";
import { isDenied } from "./denial";
import type { Guard } from "./guard";
import type { ServerTime } from "./server-time";
import type { Argument } from "./wire";

/** Durable as the scripts want it: ? not asked yet, n refused to say, 0 no, 1 yes. */
export type Durability = "?" | "n" | "0" | "1";

/** Who the server is, as far as its client knows. */
export interface ServerIdentity {
  readonly runId: string | null;
  readonly durability: Durability;
}

/** What a script said instead of voting, or a look at the marker. */
export interface Admission {
  readonly word: string;
  readonly number: number;
  readonly text: string;
  /** Longest TTL in the node's marker, milliseconds. */
  readonly longestTtlMs: number;
}

/** Whether the node's votes count, by its marker. */
export type Standing =
  | { readonly kind: "admitted" }
  /** Nobody has looked at the marker since the server started, or the server does not let us. */
  | { readonly kind: "unverified"; readonly reason: string }
  | {
      readonly kind: "quarantined";
      readonly forMs: number;
      readonly reason: string;
      /** It was drained before it restarted, and the receipt for that ends the quarantine. */
      readonly isUndrainable: boolean;
    }
  /** An operator took it out of the votes, until he puts it back. */
  | { readonly kind: "drained"; readonly reason: string }
  | { readonly kind: "config_mismatch"; readonly reason: string };

/** Whether putting the node back would do something. */
export function isUndrainable(standing: Standing): boolean {
  return standing.kind === "drained" || (standing.kind === "quarantined" && standing.isUndrainable);
}

const ADMITTED: Standing = { kind: "admitted" };

const CAUSES: Readonly<Record<string, string>> = {
  missing: "its marker is missing (first use, started empty, or flushed), so it may have forgotten votes",
  restarted: "it restarted and may have come back without its last votes",
  drained: "it was drained, and nobody who knows of that has put it back",
  clock: "its clock was wrong, so keys may have ended too early on it",
};
const OTHER_MEMBERSHIP =
  "other clients use it with another list of masters: name the same masters everywhere, then bootstrap";
const DRAINED = "drained by an operator: restart it if that was the plan, then undrain it";
/** A look that was under way while the node was drained still says admitted; two in a row do not. */
const LOOKS_TO_BE_SURE = 2;
const UNVERIFIED = "whether it kept its votes is being checked";

/** What the restart guard knows of one node, and what it adds to each vote. */
export class NodeGuard {
  readonly #guard: Guard;
  readonly #time: ServerTime;
  readonly #identity: () => ServerIdentity;
  #admission: Admission | null = null;
  /** Of the server that said so. */
  #runId: string | null = null;
  /** Monotonic. */
  #learntAt = 0;
  /** Why the marker could not be looked at. */
  #trouble: string | null = null;
  /** Of the drain that this console did and nobody has undone. */
  #receipt: string | null = null;
  #looksAdmitted = 0;
  #hasVoted = false;

  constructor(guard: Guard, time: ServerTime, identity: () => ServerIdentity) {
    this.#guard = guard;
    this.#time = time;
    this.#identity = identity;
  }

  get isOn(): boolean {
    return this.#guard.mode !== "off";
  }

  /** What goes behind the keys and arguments of a vote. @param limitMs from now on; 0 = no limit */
  words(limitMs: number): { readonly keys: readonly Argument[]; readonly args: readonly Argument[] } {
    return this.wordsUntil(limitMs > 0 ? this.notAfter(limitMs) : 0);
  }

  /** When `limitMs` from now have passed, on the server's clock at the latest; 0 when nothing is known of that. */
  notAfter(limitMs: number): number {
    return this.#time.deadline(performance.now(), limitMs);
  }

  /** As `words`. @param notAfter as `notAfter()`; 0 = no limit */
  wordsUntil(notAfter: number): { readonly keys: readonly Argument[]; readonly args: readonly Argument[] } {
    if (!this.isOn) return { keys: [], args: [notAfter, "off"] };
    const { mode, configHash, knownTtlMs } = this.#guard;
    const { runId, durability } = this.#identity();
    return { keys: [MARKER_KEY], args: [notAfter, mode, runId ?? "", configHash, knownTtlMs, durability] };
  }

  /** As `words`, for a bootstrap: what was granted before no longer matters. */
  wordsOfBootstrap(): { readonly keys: readonly Argument[]; readonly args: readonly Argument[] } {
    this.#guard.forgetTtls();
    return this.words(0);
  }

  /** A lock of this TTL was granted here, or may have been. */
  noteTtl(ttlMs: number): void {
    if (this.isOn) this.#guard.noteTtl(ttlMs);
  }

  /** A vote was given, so the node is admitted. */
  voted(): void {
    this.#hasVoted = true;
  }

  /** Whether a vote was given since this was last asked. */
  takeVoted(): boolean {
    const hasVoted = this.#hasVoted;
    this.#hasVoted = false;
    return hasVoted;
  }

  /** Takes in what a script said instead of voting. @returns the vote */
  learn(admission: Admission): Fault {
    if (admission.word === "stale") {
      return { kind: "error", reason: "stale: it reached the server after its time limit, so nothing was done" };
    }
    this.#hasVoted = false;
    this.#admission = admission;
    this.#runId = this.#identity().runId;
    this.#trouble = null;
    this.#learntAt = performance.now();
    this.noteTtl(admission.longestTtlMs);
    this.#looksAdmitted = admission.word === "admitted" ? this.#looksAdmitted + 1 : 0;
    // It votes, so what it lost in a later restart would be votes: the receipt proves nothing any more.
    if (this.#looksAdmitted >= LOOKS_TO_BE_SURE) this.#receipt = null;
    const standing = this.standing();
    switch (standing.kind) {
      case "quarantined":
        return { kind: "quarantined", forMs: standing.forMs, reason: standing.reason };
      case "config_mismatch":
        return { kind: "error", reason: standing.reason };
      case "unverified":
      case "drained":
        return { kind: "error", reason: standing.reason };
      case "admitted":
        return { kind: "error", reason: UNVERIFIED };
      default:
        return standing satisfies never;
    }
  }

  /** Remembers the word a drain leaves on the node. */
  keepReceipt(receipt: string): void {
    this.#receipt = receipt;
    this.#looksAdmitted = 0;
  }

  /** For one use: used twice it would let in a node that voted in between. Null when there is none. */
  takeReceipt(): string | null {
    const receipt = this.#receipt;
    this.#receipt = null;
    return receipt;
  }

  /** The server did not let us look at the marker. @param words its own */
  noteRefusal(words: string): void {
    const nextStep = isDenied(words) ? ": grant the user +info and +time, and the key of the marker" : "";
    this.#trouble = `the restart guard cannot look at it (${words})${nextStep}`;
  }

  /** By the last look; a quarantine ends by itself. */
  standing(): Standing {
    const known = this.#admission;
    if (!this.isOn) return ADMITTED;
    if (known === null || known.word === "unverified" || this.#runId !== this.#identity().runId) {
      return { kind: "unverified", reason: this.#trouble ?? UNVERIFIED };
    }
    if (known.word === "config") return { kind: "config_mismatch", reason: OTHER_MEMBERSHIP };
    if (known.word === "drained") return { kind: "drained", reason: DRAINED };
    if (known.word !== "quarantined") return ADMITTED;
    const forMs = Math.round(known.number - (performance.now() - this.#learntAt));
    if (forMs <= 0) return ADMITTED;
    const isUndrainable = known.text === "drained" && this.#receipt !== null;
    return { kind: "quarantined", forMs, reason: CAUSES[known.text] ?? known.text, isUndrainable };
  }
}
