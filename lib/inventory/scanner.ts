import { prefixesOf } from "@/lib/layouts";
import type { ScanStep } from "@/lib/redis";
import type { Clock } from "@/lib/redlock";
import type { NodeColumn } from "./column";
import { type Budget, Stride } from "./stride";

/** ended: everything was read. failed: the node fell silent. void: what was read so far is worth nothing any more. */
export type PassEnd = "ended" | "failed" | "void";

/** Reads one node from beginning to end, step by step, with pauses where it has other things to do. */
export class Scanner {
  readonly #column: NodeColumn;
  readonly #clock: Clock;
  readonly #wanted: Pick<ScanStep, "match" | "prefixes">;
  readonly #stride = new Stride();
  #looked = 0;
  #startedAt = 0;
  #isRunning = false;
  #keysPerSecond: number | null = null;

  constructor(column: NodeColumn, clock: Clock, patterns: readonly string[]) {
    this.#column = column;
    this.#clock = clock;
    const [only = "*", ...more] = patterns;
    this.#wanted = more.length === 0 ? { match: only } : { match: "*", prefixes: prefixesOf(patterns) };
  }

  /** How far the reading under way has come, 0 to 1, as far as the number of keys is known; null when none is. */
  get progress(): number | null {
    const { keys } = this.#column.master.status();
    if (!this.#isRunning) return null;
    return keys === null ? 0 : Math.min(0.99, this.#looked / Math.max(1, keys));
  }

  /** Keys looked at per second, pauses included, in the reading under way or else the last one. */
  get keysPerSecond(): number | null {
    return this.#keysPerSecond;
  }

  /**
   * @param isVoid asked after each step
   * @param onOthers told of keys that are others than those the column knew
   */
  async pass(
    budget: Budget,
    isVoid: () => boolean,
    onOthers: (resources: readonly string[]) => void,
  ): Promise<PassEnd> {
    this.#looked = 0;
    this.#startedAt = this.#clock.now();
    this.#isRunning = true;
    try {
      return await this.#walk(budget, isVoid, onOthers);
    } finally {
      this.#isRunning = false;
    }
  }

  async #walk(
    budget: Budget,
    isVoid: () => boolean,
    onOthers: (resources: readonly string[]) => void,
  ): Promise<PassEnd> {
    const startedAt = this.#clock.now();
    for (let cursor: string | null = "0"; cursor !== null; ) {
      const sentAt = this.#clock.now();
      const count = this.#stride.keys;
      const answer = await this.#column.master.scan({ ...this.#wanted, cursor, count });
      if (isVoid()) return "void";
      const tookMs = this.#clock.now() - sentAt;
      if (answer.kind !== "page") {
        this.#stride.failed();
        if (this.#column.strike(answer)) return "failed";
        continue; // once more, from the same place
      }
      this.#noteLooked(count);
      const restMs = this.#stride.answered(tookMs, budget);
      onOthers(this.#column.take(answer.readings, sentAt));
      cursor = answer.cursor === "0" ? null : answer.cursor;
      if (cursor !== null && restMs > 0) await this.#pause(restMs);
    }
    onOthers(this.#column.finish(startedAt));
    return "ended";
  }

  #noteLooked(count: number): void {
    this.#looked += count;
    const seconds = Math.max(1, this.#clock.now() - this.#startedAt) / 1000;
    const keys = this.#column.master.status().keys ?? this.#looked;
    this.#keysPerSecond = Math.round(Math.min(this.#looked, Math.max(keys, 1)) / seconds);
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.#clock.schedule(delayMs, resolve));
  }
}
