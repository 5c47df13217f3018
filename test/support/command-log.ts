import type { Redis } from "ioredis";
import type { TestServer } from "./redis-server";
import { until } from "./until";

/** What reaches a server, by MONITOR: the commands as words, scripts' own commands left out. */
export class CommandLog {
  readonly #monitors: Redis[] = [];
  readonly #commands: (readonly string[])[][] = [];

  async watch(servers: readonly TestServer[]): Promise<void> {
    for (const { client } of servers) {
      const commands: (readonly string[])[] = [];
      const monitor = await client.monitor();
      monitor.on("monitor", (_time: string, words: readonly string[], source: string) => {
        if (source !== "lua") commands.push(words);
      });
      this.#monitors.push(monitor);
      this.#commands.push(commands);
    }
  }

  /** Commands with `word` anywhere among their words. */
  count(word: string): number {
    return this.#commands.flat().filter((words) => words.some((part) => part.includes(word))).length;
  }

  /** What is sent on one connection arrives in order, so that everything sent before this is seen, too. */
  async untilEachSaw(word: string): Promise<void> {
    await until(
      () => this.#commands.every((commands) => commands.some((words) => words.some((part) => part.includes(word)))),
      `every server to see ${word}`,
    );
  }

  close(): void {
    for (const monitor of this.#monitors.splice(0)) monitor.disconnect();
    this.#commands.splice(0);
  }
}
