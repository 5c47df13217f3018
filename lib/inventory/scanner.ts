import { prefixesOf } from "@/lib/layouts";
import type { ScanStep } from "@/lib/redis";
import type { Clock } from "@/lib/redlock";
import type { NodeColumn } from "./column";

/** Keys looked at in one step: at first; when steps are quick; and at least, when a step brought no answer in time. */
const PAGE_KEYS = 250;
const PAGE_KEYS_MAX = 1000;
const PAGE_KEYS_MIN = 25;
/** After a step that took less the next one is larger, after one that took more it is back at `PAGE_KEYS`, milliseconds. */
const QUICK_MS = 3;
const SLOW_MS = 10;

/** How much of a node's time a reading may take. */
export interface Budget {
  /** After each step the node is left alone for so many times as long as the step took. */
  readonly restFactor: number;
}

/** ended: everything was read. failed: the node fell silent. void: what was read so far is worth nothing any more. */
export type PassEnd = "ended" | "failed" | "void";

/** Reads one node from beginning to end, step by step with pauses. */
export class Scanner {
  readonly #column: NodeColumn;
  readonly #clock: Clock;
  readonly #wanted: Pick<ScanStep, "match" | "prefixes">;
  #pageKeys = PAGE_KEYS;
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
      const count = this.#pageKeys;
      const answer = await this.#column.master.scan({ ...this.#wanted, cursor, count });
      if (isVoid()) return "void";
      const tookMs = this.#clock.now() - sentAt;
      if (answer.kind !== "page") {
        this.#pageKeys = Math.max(PAGE_KEYS_MIN, Math.round(count / 2));
        if (this.#column.strike(answer)) return "failed";
        continue; // once more, from the same place
      }
      this.#noteStep(count, tookMs);
      onOthers(this.#column.take(answer.readings, sentAt));
      cursor = answer.cursor === "0" ? null : answer.cursor;
      if (cursor !== null) await this.#pause(tookMs * budget.restFactor);
    }
    onOthers(this.#column.finish(startedAt));
    return "ended";
  }

  #noteStep(count: number, tookMs: number): void {
    if (tookMs < QUICK_MS || count < PAGE_KEYS) this.#pageKeys = Math.min(PAGE_KEYS_MAX, count * 2);
    else if (tookMs > SLOW_MS) this.#pageKeys = PAGE_KEYS;
    this.#looked += count;
    const seconds = Math.max(1, this.#clock.now() - this.#startedAt) / 1000;
    const keys = this.#column.master.status().keys ?? this.#looked;
    this.#keysPerSecond = Math.round(Math.min(this.#looked, Math.max(keys, 1)) / seconds);
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.#clock.schedule(Math.max(1, delayMs), resolve));
  }
}
