import type {
  AcquireRequest,
  AcquireVote,
  ExtendVote,
  HealVote,
  ReleaseRequest,
  ReleaseVote,
  VoteSink,
} from "@/lib/redlock";
import { type Piece, pieceOf } from "./batch-piece";
import { ACQUIRE_FENCED } from "./fence-scripts";
import type { Script } from "./script";
import { ACQUIRE, EXTEND, HEAL, RELEASE } from "./verb-scripts";
import { type Judgement, UNEXPECTED, voteOf } from "./votes";

export type AnyVote = AcquireVote | ExtendVote | HealVote | ReleaseVote;

/** One kind of request. */
export interface Verb {
  /** Alone. */
  readonly script: Script;
  /** Its letter in a batch. */
  readonly letter: string;
  /** Its answer only counts when the node is admitted. */
  readonly isVote: boolean;
  /** It can create a key. */
  readonly isCreating: boolean;
  /** It needs the keys of the fence counters. */
  readonly isFenced: boolean;
  /** The vote for an answer of 0, which is nearly every one. */
  readonly done: AnyVote;
  /** The vote for any answer. */
  voteOf(judgement: Judgement): AnyVote;
}

const GRANTED: AcquireVote = { kind: "granted" };
const EXTENDED: ExtendVote = { kind: "extended" };
const HEALED: HealVote = { kind: "healed" };
const RELEASED: ReleaseVote = { kind: "released" };
const GONE: ReleaseVote = { kind: "gone" };

/** With 0 for a vote that carries nothing, anything else is none of ours. */
function plainly(done: AnyVote): (judgement: Judgement) => AnyVote {
  return (judgement) => (judgement.kind === "code" ? (judgement.code === 0 ? done : UNEXPECTED) : voteOf(judgement));
}

const VOTE = { isVote: true, isCreating: true, isFenced: false } as const;

export const VERB = {
  acquire: { ...VOTE, script: ACQUIRE, letter: "a", done: GRANTED, voteOf: plainly(GRANTED) },
  acquireFenced: {
    ...VOTE,
    script: ACQUIRE_FENCED,
    letter: "f",
    isFenced: true,
    done: UNEXPECTED,
    voteOf(judgement: Judgement): AcquireVote {
      if (judgement.kind !== "code") return voteOf(judgement);
      return judgement.code > 0 ? { kind: "granted", fence: judgement.code } : UNEXPECTED;
    },
  },
  extend: {
    ...VOTE,
    script: EXTEND,
    letter: "e",
    isCreating: false,
    done: EXTENDED,
    voteOf(judgement: Judgement): ExtendVote {
      if (judgement.kind === "missing") return judgement;
      if (judgement.kind !== "code") return voteOf(judgement);
      return judgement.code === 0 ? EXTENDED : UNEXPECTED;
    },
  },
  heal: { ...VOTE, script: HEAL, letter: "h", done: HEALED, voteOf: plainly(HEALED) },
  release: {
    ...VOTE,
    script: RELEASE,
    letter: "r",
    isVote: false,
    isCreating: false,
    done: RELEASED,
    voteOf(judgement: Judgement): ReleaseVote {
      if (judgement.kind !== "code") return voteOf(judgement);
      return judgement.code === 0 ? RELEASED : GONE;
    },
  },
} as const satisfies Record<string, Verb>;

/** What is asked of a node, by any verb. */
export type Asked = AcquireRequest | ReleaseRequest;

/** One request on its way to a node. */
export class Item {
  readonly verb: Verb;
  readonly asked: Asked;
  /** Latest time of execution on the server's clock; 0 = any. */
  readonly notAfter: number;
  /** Whoever asked, and the place of the node that it knows. */
  readonly sink: VoteSink<AnyVote>;
  readonly place: number;
  /** Its keys and token as they go over the wire. */
  readonly piece: Piece;

  /** @param keyPrefix what the client puts before every key */
  constructor(
    verb: Verb,
    asked: Asked,
    { notAfter, keyPrefix }: { readonly notAfter: number; readonly keyPrefix: string },
    sink: VoteSink<AnyVote>,
    place: number,
  ) {
    this.verb = verb;
    this.asked = asked;
    this.notAfter = notAfter;
    this.sink = sink;
    this.place = place;
    this.piece = pieceOf(asked, keyPrefix);
  }

  /** 0 for a release. */
  get ttlMs(): number {
    return "ttlMs" in this.asked ? this.asked.ttlMs : 0;
  }

  get isCancelled(): boolean {
    return "isCancelled" in this.asked && this.asked.isCancelled();
  }
}
