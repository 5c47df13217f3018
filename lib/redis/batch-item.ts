import type { Token } from "@/lib/redlock";
import type { Argument, Reply } from "./connection";
import { ACQUIRE_FENCED } from "./fence-scripts";
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
}

export const VERB = {
  acquire: { script: ACQUIRE, letter: "a", isVote: true, isCreating: true },
  acquireFenced: { script: ACQUIRE_FENCED, letter: null, isVote: true, isCreating: true },
  extend: { script: EXTEND, letter: "e", isVote: true, isCreating: false },
  heal: { script: HEAL, letter: "h", isVote: true, isCreating: true },
  release: { script: RELEASE, letter: "r", isVote: false, isCreating: false },
} as const satisfies Record<string, Verb>;

/** What is asked of a node. */
export interface Asked {
  readonly resources: readonly string[];
  readonly token: Token;
  /** 0 for a release. */
  readonly ttlMs: number;
  /** Behind the keys of the resources. */
  readonly moreKeys: readonly Argument[];
  /** The last of ARGV. */
  readonly lastArgs: readonly Argument[];
  /** Latest time of execution on the server's clock; 0 = any. */
  readonly notAfter: number;
  /** Null = cannot be cancelled. */
  readonly isCancelled: (() => boolean) | null;
}

/** One request on its way to a node. */
export class Item {
  readonly verb: Verb;
  readonly asked: Asked;
  readonly #settle: (reply: Reply, item: Item) => void;
  /** Its lock was released meanwhile, so no second step may be taken for it. */
  isOver = false;
  isSettled = false;
  /** Monotonic. */
  sentAt = 0;
  /** Another one under way with the same token, asked before this one. */
  earlier: Item | null = null;

  constructor(verb: Verb, asked: Asked, settle: (reply: Reply, item: Item) => void) {
    this.verb = verb;
    this.asked = asked;
    this.#settle = settle;
  }

  get isCancelled(): boolean {
    return this.asked.isCancelled?.() ?? false;
  }

  /** Whether a second step may be taken, which comes behind whatever was sent since the first. */
  get mayGoOn(): boolean {
    return !this.isOver && !this.isCancelled;
  }

  /** Called once, with what became of it. */
  settle(reply: Reply): void {
    this.isSettled = true;
    this.#settle(reply, this);
  }
}
