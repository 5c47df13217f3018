import type { LabVote } from "@/lib/contract";
import {
  type AcquireRequest,
  type AcquireVote,
  describeVote,
  type ExtendRequest,
  type LockNode,
  type ReleaseRequest,
} from "@/lib/redlock";
import { nowUs } from "./intervals";

/** What one client has asked of its masters. */
export class AskedOf {
  /** Commands sent. */
  commands = 0;
  /** When the last extension was asked for. */
  extendUs = 0;
  /** Commands sent, by the token of the try. */
  readonly commandsOf = new Map<string, number>();
  /** What the masters have said so far, by the token of the try. */
  readonly votes = new Map<string, LabVote[]>();
  /** From its first request to its last answer so far, by the token of the try. */
  readonly tries = new Map<string, { readonly fromUs: number; untilUs: number }>();

  /** One more command. */
  count(token: string): void {
    this.commands += 1;
    this.commandsOf.set(token, (this.commandsOf.get(token) ?? 0) + 1);
  }
}

/** The same masters, with a note of all that is asked of them. */
export function noted(nodes: readonly LockNode[], asked: AskedOf): readonly LockNode[] {
  return nodes.map((node) => wrapped(node, asked, (request) => node.acquire(request)));
}

/**
 * The same masters, asked for their votes one after the other, as clients without simultaneous requests do.
 *
 * @param order in which they are asked, by index
 */
export function inTurn(nodes: readonly LockNode[], order: readonly number[], asked: AskedOf): readonly LockNode[] {
  const turns = new Map<string, Turns>();
  return nodes.map((node, index) =>
    wrapped(node, asked, async (request) => {
      const own = turns.get(request.token) ?? new Turns(order);
      turns.set(request.token, own);
      await own.of(index);
      // The engine has decided or given up meanwhile: a vote granted now would be one that nobody releases.
      const vote: AcquireVote = request.isCancelled() ? { kind: "timeout" } : await node.acquire(request);
      if (own.pass(index)) turns.delete(request.token);
      return vote;
    }),
  );
}

class Turns {
  readonly #order: readonly number[];
  readonly #waiting = new Map<number, () => void>();
  #at = 0;

  constructor(order: readonly number[]) {
    this.#order = order;
  }

  of(index: number): Promise<void> {
    if (this.#order[this.#at] === index) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.set(index, resolve));
  }

  /** @returns whether it was the last */
  pass(index: number): boolean {
    this.#at = this.#order.indexOf(index) + 1;
    const next = this.#order[this.#at];
    if (next !== undefined) this.#waiting.get(next)?.();
    return next === undefined;
  }
}

function wrapped(node: LockNode, asked: AskedOf, acquire: (request: AcquireRequest) => Promise<AcquireVote>): LockNode {
  return {
    id: node.id,
    async acquire(request) {
      asked.count(request.token);
      const own = asked.tries.get(request.token) ?? { fromUs: nowUs(), untilUs: nowUs() };
      asked.tries.set(request.token, own);
      const vote = await acquire(request);
      if (vote.kind !== "timeout") own.untilUs = nowUs();
      const votes = asked.votes.get(request.token) ?? [];
      asked.votes.set(request.token, votes);
      votes.push({ node: node.id, kind: vote.kind, text: describeVote(vote) });
      return vote;
    },
    extend(request: ExtendRequest) {
      asked.count(request.token);
      asked.extendUs = nowUs();
      return node.extend(request);
    },
    release(request: ReleaseRequest) {
      asked.count(request.token);
      return node.release(request);
    },
    heal: (request) => node.heal(request),
    raiseFence: (request) => node.raiseFence(request),
    readFence: () => node.readFence(),
    restoreFence: (request) => node.restoreFence(request),
  };
}
