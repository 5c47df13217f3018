import type { LabFault } from "@/lib/contract";
import type { AcquireNews, AcquireWishes, ClientAnswers, ClientHappening, ContestTask, WriteTask } from "./client-task";
import type { LabClient } from "./lab-client";
import type { Ledger } from "./ledger";
import type { Patience } from "./patience";
import type { LabRecord } from "./record";
import type { Ways } from "./ways";

/** One client on the stage: what it is told to do and what is done to it, both on record. */
export class Actor {
  readonly client: LabClient;
  /** From it to each node it knows. */
  readonly ways: Ways;
  readonly #record: LabRecord;
  readonly #patience: Patience;
  #locks = 0;

  constructor(options: {
    readonly client: LabClient;
    readonly ways: Ways;
    readonly record: LabRecord;
    readonly patience: Patience;
  }) {
    this.client = options.client;
    this.ways = options.ways;
    this.#record = options.record;
    this.#patience = options.patience;
  }

  get name(): string {
    return this.client.name;
  }

  /** Tries once. */
  async acquire(
    resource: string,
    ttlMs: number,
    wishes: AcquireWishes = {},
  ): Promise<AcquireNews & { readonly id: string }> {
    this.#locks += 1;
    const id = `${this.name}:${this.#locks}`;
    const news = await this.#patience.wait(this.client.ask({ verb: "acquire", id, resource, ttlMs, wishes }));
    const record = this.#record;
    const common = { client: this.name, id, resource, askedMs: record.msOf(news.askedUs), votes: [...news.votes] };
    if (news.kind === "refused") record.note({ kind: "refused", ...common, text: news.text }, news.atUs);
    else {
      const { holder, fence } = news;
      const fenced = fence === null ? {} : { fence };
      const untilMs = record.msOf(news.untilUs);
      record.note({ kind: "granted", ...common, untilMs, holder, ...fenced }, news.atUs);
    }
    return { ...news, id };
  }

  /** Gives back what it was granted; the engine compares the token before it deletes. */
  async release(id: string): Promise<void> {
    const { atUs, outcome, votes } = await this.#patience.wait(this.client.ask({ verb: "release", id }));
    this.#record.note({ kind: "released", client: this.name, id, outcome, votes: [...votes] }, atUs);
  }

  /** Sends bare words to a node, as one without this engine would. @returns what the node answered; null when nothing in time */
  async raw(node: string, words: readonly string[]): Promise<string | null> {
    const { answer, atUs } = await this.#patience.wait(this.client.ask({ verb: "raw", node, words }));
    this.#record.note({ kind: "raw", client: this.name, node, command: words.join(" "), answer }, atUs);
    return answer;
  }

  /** Declares that no lock is held. */
  async bootstrap(): Promise<void> {
    const { isDone } = await this.#patience.wait(this.client.ask({ verb: "bootstrap" }));
    if (!isDone) throw new Error(`Client ${this.name} could not bootstrap the nodes.`);
  }

  /** Lets it ask every node it knows what its clock shows. */
  async readClocks(): Promise<void> {
    await this.#patience.wait(this.client.ask({ verb: "read-clocks" }));
  }

  /** Waits until it is connected to these nodes again. */
  async reach(nodes: readonly string[]): Promise<void> {
    const { isReached } = await this.#patience.wait(this.client.ask({ verb: "reach", nodes }));
    if (!isReached) throw new Error(`Client ${this.name} could not connect to ${nodes.join(", ")}.`);
  }

  /** Lets it look for its nodes again: one whose clock it read too slowly is asked for no votes until it has read it anew. */
  async lookAround(): Promise<void> {
    await this.#patience.wait(this.client.ask({ verb: "reach", nodes: this.ways.nodes }));
  }

  /** Works on under a lock that its engine extends; what becomes of it is on record. */
  async work(id: string, ttlMs: number, stepMs: number): Promise<void> {
    await this.#patience.wait(this.client.ask({ verb: "work", id, ttlMs, stepMs }));
  }

  /** Writes to a ledger, or looks and does not. @returns what the ledger answered; null when it did not write */
  async write(ledger: Ledger, task: Omit<WriteTask, "client" | "port">): Promise<string | null> {
    const order = { verb: "write", client: this.name, port: ledger.port, ...task } as const;
    return (await this.#patience.wait(this.client.ask(order))).answer;
  }

  /** Connects several clients in this process, for contests. */
  async gather(clients: number): Promise<void> {
    await this.#patience.wait(this.client.ask({ verb: "gather", clients }));
  }

  /** Lets several clients in this process want one lock; what they win is on record. @param contest its name */
  async contend(contest: string, task: ContestTask): Promise<ClientAnswers["contend"]> {
    const answer = await this.#patience.wait(this.client.ask({ verb: "contend", ...task }));
    for (const { client, askedUs, atUs, untilUs, endedUs, holder, votes } of answer.wins) {
      this.#locks += 1;
      const own = { client: this.name, id: `${this.name}.${client + 1}:${this.#locks}`, contest };
      const record = this.#record;
      const times = { askedMs: record.msOf(askedUs), untilMs: record.msOf(untilUs) };
      record.note({ kind: "granted", ...own, ...times, resource: task.resource, holder, votes: [...votes] }, atUs);
      record.note({ kind: "ending", ...own }, endedUs);
    }
    return answer;
  }

  /** SIGSTOP. */
  pause(): void {
    this.#fault("paused (SIGSTOP)", "pause");
    this.client.pause();
  }

  /** SIGCONT. */
  resume(): void {
    this.#fault("resumed (SIGCONT)", "heal");
    this.client.resume();
  }

  /** SIGKILL: what it holds lives on until it expires. */
  async kill(): Promise<void> {
    this.#fault("killed (SIGKILL)", "kill");
    await this.#patience.wait(this.client.end());
  }

  /** Notes what its process tells by itself. */
  hear(what: ClientHappening): void {
    const { id, atUs } = what;
    const record = this.#record;
    const own = { client: this.name, id };
    switch (what.kind) {
      case "ending":
        record.note({ kind: "ending", ...own }, atUs);
        return;
      case "extended": {
        const { outcome, askedUs, untilUs, healing, votes } = what;
        const times = { askedMs: record.msOf(askedUs), untilMs: record.msOf(untilUs) };
        record.note({ kind: "extended", ...own, ...times, outcome, healing: [...healing], votes: [...votes] }, atUs);
        return;
      }
      case "lost": {
        const { text, steps, lastStepUs } = what;
        record.note({ kind: "lost", ...own, text, steps, lastStepMs: record.msOf(lastStepUs) }, atUs);
        return;
      }
      case "looked":
        record.note({ kind: "looked", ...own, remainingMs: what.remainingMs }, atUs);
        return;
      default:
        what satisfies never;
    }
  }

  async close(): Promise<void> {
    await this.client.end();
    this.ways.close();
  }

  #fault(text: string, act: LabFault): void {
    this.#record.note({ kind: "fault", target: `client ${this.name}`, text, act, links: [] });
  }
}
