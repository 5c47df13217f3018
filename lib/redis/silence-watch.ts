/** What a `SilenceWatch` is told. */
export interface SilenceWatchOptions {
  /** Ages of the oldest unanswered command at which `onSilent` is called, milliseconds, ascending. */
  readonly noticeAfterMs: readonly number[];
  /** Age at which `onGiveUp` is called, milliseconds; larger than the others. */
  readonly giveUpAfterMs: number;
  onSilent(): void;
  onGiveUp(silentMs: number): void;
}

/**
 * Notices that a connection has fallen silent: the oldest unanswered command is older than a limit.
 *
 * Replies come in order, so one timer for the oldest is enough. When it fires, replies that had already arrived are read first
 * (`setImmediate` runs after the sockets): a stall of our own event loop is not taken for silence of the server.
 */
export class SilenceWatch {
  /** Unanswered commands and when they were sent (monotonic ms), oldest first: a Map keeps the order of insertion. */
  readonly #unanswered = new Map<object, number>();
  readonly #options: SilenceWatchOptions;
  /** `noticeAfterMs`, then `giveUpAfterMs`. */
  readonly #thresholdsMs: readonly number[];
  /** How many of the thresholds the present silence has passed. */
  #passed = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: SilenceWatchOptions) {
    this.#options = options;
    this.#thresholdsMs = [...options.noticeAfterMs, options.giveUpAfterMs];
  }

  get hasUnanswered(): boolean {
    return this.#unanswered.size > 0;
  }

  /** Age of the oldest unanswered command, milliseconds; 0 while that is within the first limit. */
  get silentForMs(): number {
    return this.#passed > 0 ? this.#oldestAgeMs() : 0;
  }

  begin(command: object): void {
    this.#unanswered.set(command, performance.now());
    this.#arm();
  }

  end(command: object): void {
    this.#unanswered.delete(command);
    // Any answer ends the silence; if what is now the oldest is overdue as well, the timer says so again.
    this.#passed = 0;
  }

  /** The connection has ended: nothing on it is going to be answered. */
  clear(): void {
    this.#unanswered.clear();
    this.#passed = 0;
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.clear();
  }

  #oldestAgeMs(): number {
    for (const sentAt of this.#unanswered.values()) return performance.now() - sentAt;
    return 0;
  }

  #arm(): void {
    const threshold = this.#thresholdsMs[this.#passed];
    if (this.#timer !== null || this.#unanswered.size === 0 || threshold === undefined) return;
    this.#timer = setTimeout(() => setImmediate(() => this.#look()), Math.max(1, threshold - this.#oldestAgeMs()));
    this.#timer.unref();
  }

  #look(): void {
    this.#timer = null;
    const ageMs = this.#oldestAgeMs();
    const before = this.#passed;
    this.#passed = this.#thresholdsMs.filter((threshold) => ageMs >= threshold).length;
    if (this.#passed === this.#thresholdsMs.length) this.#options.onGiveUp(Math.round(ageMs));
    else if (this.#passed > before) this.#options.onSilent();
    this.#arm();
  }
}
