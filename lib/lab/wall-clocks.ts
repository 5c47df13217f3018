import { AppError } from "@/lib/contract";
import type { Machines } from "./machines";
import type { Ways } from "./ways";

/**
 * What a step of a server's clock does to its keys: each has that much less time left, or more. Of a server of the lab, which has few.
 * ARGV[1]: milliseconds by which the clock is put forward.
 */
const MOVE_KEYS = `
local by, cursor, moved = tonumber(ARGV[1]), '0', 0
repeat
  local page = redis.call('SCAN', cursor, 'COUNT', 1000)
  cursor = page[1]
  for _, key in ipairs(page[2]) do
    local left = redis.call('PTTL', key)
    if left >= 0 then
      if left > by then redis.call('PEXPIRE', key, left - by) else redis.call('DEL', key) end
      moved = moved + 1
    end
  end
until cursor == '0'
return moved`;

const HAS_NO_KEYS: ReadonlySet<string> = new Set(["stopped", "killed", "dead"]);

/**
 * The wall clocks of the nodes' servers, which can be set wrong: for real, through the shim, or emulated where it cannot be compiled.
 *
 * Emulated is what clients can tell of a step: the keys of the server have that much less time left, and answers to TIME are moved on
 * the way to each client. Two things differ from the real one: scripts see the server's true time, so a vote is not late by the step,
 * and a client finds out when it reads the clocks.
 */
export class WallClocks {
  readonly #machines: Machines;
  readonly #aheadMs = new Map<string, number>();
  readonly #ways: Ways[] = [];

  constructor(machines: Machines) {
    this.#machines = machines;
  }

  /** Why they are emulated; null = they are real. */
  get emulatedBecause(): string | null {
    return this.#machines.shimProblem;
  }

  /** A client that sees the clocks of the nodes, as they are and as they will be. */
  show(ways: Ways): void {
    this.#ways.push(ways);
    for (const [node, aheadMs] of this.#aheadMs) ways.moveTime(node, aheadMs);
  }

  /** By how much the emulation puts a node's clock forward at the moment, milliseconds; 0 where clocks are real. */
  emulatedAheadMs(node: string): number {
    return this.#aheadMs.get(node) ?? 0;
  }

  /**
   * Sets a node's clock to so many milliseconds ahead of the machine's; 0 sets it right.
   *
   * @throws RangeError when there is no such node; AppError lab_unavailable when it must answer for the emulation, and does not
   */
  async set(node: string, aheadMs: number): Promise<void> {
    const problem = this.emulatedBecause;
    if (problem === null) this.#machines.stepClock(node, aheadMs);
    else await this.#emulate(node, aheadMs, problem);
  }

  async #emulate(node: string, aheadMs: number, because: string): Promise<void> {
    const byMs = aheadMs - this.emulatedAheadMs(node);
    if (byMs === 0) return;
    if (!HAS_NO_KEYS.has(this.#machines.stateOf(node))) {
      const answer = await this.#machines.ask(node, ["EVAL", MOVE_KEYS, "0", String(byMs)]);
      if (answer === null || !answer.startsWith(":")) {
        const found = answer ?? "it gave none; resume it first";
        throw new AppError(
          "lab_unavailable",
          `The clock of ${node} is emulated here, which needs its answer: ${found}.`,
        );
      }
    }
    this.#aheadMs.set(node, aheadMs);
    for (const ways of this.#ways) ways.moveTime(node, aheadMs);
    this.#machines.noteClock(
      node,
      aheadMs,
      ` (emulated, since ${because}: the remaining time of its keys and its answers to TIME are moved)`,
    );
  }
}
