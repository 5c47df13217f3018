import type { ChangeFeed, ChangeListener } from "@/lib/redis";
import { FakeMaster } from "./fake-master";

/** A node whose feed does as the test says. */
export class ToldMaster extends FakeMaster {
  readonly feeds: ChangeListener[] = [];
  isAnswering = true;
  /** Fences that were not answered while it was silent. */
  readonly #fences: (() => void)[] = [];
  swapCount: number | null = 0;

  override follow(_prefixes: readonly string[], listener: ChangeListener): ChangeFeed {
    this.feeds.push(listener);
    const fence = () =>
      new Promise<boolean>((resolve) => {
        if (this.isAnswering) resolve(true);
        else this.#fences.push(() => resolve(true));
      });
    return { fence, close: () => Promise.resolve() };
  }

  override swaps(): Promise<number | null> {
    return Promise.resolve(this.swapCount);
  }

  /** Answers again, what it was asked meanwhile too. */
  answer(): void {
    this.isAnswering = true;
    for (const resolve of this.#fences.splice(0)) resolve();
  }

  /** The listener of the latest feed. */
  get feed(): ChangeListener {
    const feed = this.feeds.at(-1);
    if (feed === undefined) throw new Error("no feed");
    return feed;
  }
}
