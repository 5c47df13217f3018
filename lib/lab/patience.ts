/** Waits that end with the run. */
export class Patience {
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** The work, or the end of the run, whichever comes first. @throws the run's reason, or what the work throws */
  wait<Result>(work: Promise<Result>): Promise<Result> {
    const signal = this.#signal;
    return new Promise((resolve, reject) => {
      const end = (): void => reject(signal.reason);
      if (signal.aborted) end();
      signal.addEventListener("abort", end, { once: true });
      work.then(resolve, reject).finally(() => signal.removeEventListener("abort", end));
    });
  }

  pauseMs(ms: number): Promise<void> {
    return this.wait(new Promise((resolve) => setTimeout(resolve, ms)));
  }

  throwIfOver(): void {
    this.#signal.throwIfAborted();
  }
}
