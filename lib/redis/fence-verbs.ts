import type {
  FenceReading,
  RaiseFenceRequest,
  RaiseFenceVote,
  RestoreFenceRequest,
  RestoreFenceVote,
} from "@/lib/redlock";
import { FENCE_KEY } from "./admission";
import { fenceFault, fenceKeys, RAISE_FENCE, READ_FENCE, RESTORE_FENCE } from "./fence-scripts";
import { keyArgument } from "./key-bytes";
import { runScript } from "./run-script";
import { cannotVote, runVoting, type VotingSetup } from "./run-voting";
import { UNEXPECTED, verdictOf, voteOf } from "./votes";

export interface FenceVerbsSetup extends VotingSetup {
  /** The node was given counters that may be too low. */
  onGuess(): void;
}

/** The verbs of fences, on the connection of the locks: raised counters must not overtake the acquire that they belong to. */
export class FenceVerbs {
  readonly #setup: FenceVerbsSetup;

  constructor(setup: FenceVerbsSetup) {
    this.#setup = setup;
  }

  async raise({ resources, token, fence, isCancelled }: RaiseFenceRequest): Promise<RaiseFenceVote> {
    const fault = cannotVote(this.#setup);
    if (fault !== null) return fault;
    const input = { keys: [...resources.map(keyArgument), ...fenceKeys(resources)], args: [token, fence] };
    const reply = await runScript(this.#setup.connection.send, RAISE_FENCE, input, () => !isCancelled());
    const verdict = verdictOf(reply, resources);
    switch (verdict.kind) {
      case "code":
        return verdict.code === 0 ? { kind: "raised" } : UNEXPECTED;
      case "missing":
        return verdict;
      case "barred":
        return fenceFault(verdict.admission);
      default:
        return voteOf(verdict);
    }
  }

  async read(): Promise<FenceReading> {
    const fault = cannotVote(this.#setup);
    if (fault !== null) return fault;
    const verdict = await runVoting(this.#setup, READ_FENCE, {
      resources: [],
      keys: [FENCE_KEY],
      args: ["", ""],
      limitMs: this.#setup.nodeTimeoutMs,
      mayGoOn: () => true,
    });
    if (verdict.kind === "code") return { kind: "high_water", fence: verdict.code < 0 ? null : verdict.code };
    return verdict.kind === "missing" || verdict.kind === "obstacle" ? UNEXPECTED : verdict;
  }

  async restore({ fence, isGuess, isCancelled }: RestoreFenceRequest): Promise<RestoreFenceVote> {
    const fault = cannotVote(this.#setup);
    if (fault !== null) return fault;
    const verdict = await runVoting(this.#setup, RESTORE_FENCE, {
      resources: [],
      keys: [FENCE_KEY],
      args: [fence, ""],
      limitMs: this.#setup.nodeTimeoutMs,
      mayGoOn: () => !isCancelled(),
    });
    if (verdict.kind === "missing" || verdict.kind === "obstacle") return UNEXPECTED;
    if (verdict.kind !== "code") return verdict;
    if (isGuess) this.#setup.onGuess();
    return { kind: "restored" };
  }
}
