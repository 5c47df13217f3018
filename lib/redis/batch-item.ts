import type { AcquireRequest, ReleaseRequest } from "@/lib/redlock";
import type { Piece } from "./batch-piece";
import { ACQUIRE_FENCED } from "./fence-scripts";
import type { Judgement } from "./run-voting";
import type { Script } from "./script";
import { ACQUIRE, EXTEND, HEAL, RELEASE } from "./verb-scripts";

/** One kind of request. */
export interface Verb {
  /** Alone. */
  readonly script: Script;
  /** Its letter in a batch; null = always sent alone. */
  readonly letter: string | null;
  /** Its answer only counts when the node is admitted. */
  readonly isVote: boolean;
  /** It can create a key. */
  readonly isCreating: boolean;
  /** It needs the keys of the fence counters. */
  readonly isFenced: boolean;
}

export const VERB = {
  acquire: { script: ACQUIRE, letter: "a", isVote: true, isCreating: true, isFenced: false },
  acquireFenced: { script: ACQUIRE_FENCED, letter: null, isVote: true, isCreating: true, isFenced: true },
  extend: { script: EXTEND, letter: "e", isVote: true, isCreating: false, isFenced: false },
  heal: { script: HEAL, letter: "h", isVote: true, isCreating: true, isFenced: false },
  release: { script: RELEASE, letter: "r", isVote: false, isCreating: false, isFenced: false },
} as const satisfies Record<string, Verb>;

const NO_PIECE: Piece = { keys: "", token: "" };

/** What is asked of a node, by any verb. */
export type Asked = AcquireRequest | ReleaseRequest;

/** One request on its way to a node. */
export class Item {
  readonly verb: Verb;
  readonly asked: Asked;
  /** Latest time of execution on the server's clock; 0 = any. */
  readonly notAfter: number;
  /** 0 for a release. */
  readonly ttlMs: number;
  /** Whoever asked. */
  readonly tell: (judgement: Judgement) => void;
  /** Its lock was released meanwhile, so no second step may be taken for it. */
  isOver = false;
  isSettled = false;
  /** Monotonic. */
  sentAt = 0;
  /** As it goes into a batch; empty as long as it is not to. */
  piece: Piece = NO_PIECE;
  /** Another one under way with the same token, asked before this one. */
  earlier: Item | null = null;

  constructor(verb: Verb, asked: Asked, notAfter: number, tell: (judgement: Judgement) => void) {
    this.verb = verb;
    this.asked = asked;
    this.notAfter = notAfter;
    this.tell = tell;
    this.ttlMs = "ttlMs" in asked ? asked.ttlMs : 0;
  }

  get isCancelled(): boolean {
    return "isCancelled" in this.asked && this.asked.isCancelled();
  }

  /** Whether a second step may be taken, which comes behind whatever was sent since the first. */
  get mayGoOn(): boolean {
    return !this.isOver && !this.isCancelled;
  }
}
