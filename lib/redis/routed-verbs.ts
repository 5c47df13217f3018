import type {
  AcquireRequest,
  AcquireVote,
  DirectVerbs,
  ExtendRequest,
  ExtendVote,
  ReleaseRequest,
  ReleaseVote,
  VoteSink,
} from "@/lib/redlock";
import type { LockVerbs } from "./lock-verbs";
import { isQueued, type QueueVerbs } from "./queue-verbs";

/** The verbs of plain locks and of those that queue behind one face. */
export class RoutedVerbs implements DirectVerbs {
  readonly #plain: LockVerbs;
  readonly #queued: QueueVerbs;

  constructor(plain: LockVerbs, queued: QueueVerbs) {
    this.#plain = plain;
    this.#queued = queued;
  }

  acquire(request: AcquireRequest, sink: VoteSink<AcquireVote>, place: number): void {
    if (isQueued(request)) void this.#queued.acquire(request).then((vote) => sink.vote(place, vote));
    else this.#plain.acquire(request, sink, place);
  }

  extend(request: ExtendRequest, sink: VoteSink<ExtendVote>, place: number): void {
    this.#plain.extend(request, sink, place);
  }

  release(request: ReleaseRequest, sink: VoteSink<ReleaseVote>, place: number): void {
    if (isQueued(request)) void this.#queued.release(request).then((vote) => sink.vote(place, vote));
    else this.#plain.release(request, sink, place);
  }
}

/** The vote on one request. @param ask passes it on with the sink */
export function promised<Vote>(ask: (sink: VoteSink<Vote>) => void): Promise<Vote> {
  return new Promise((resolve) => ask({ vote: (_, vote) => resolve(vote) }));
}
