import type { ClientListeners, ClientProcess } from "@/lib/cluster";
import type { ClientAnswers, ClientHappening, ClientNews, ClientOrder } from "./client-task";

const ANSWER_WITHIN_MS = 15_000;

type Verb = keyof ClientAnswers;
type Order<Name extends Verb> = Omit<Extract<ClientOrder, { readonly verb: Name }>, "order">;

/** The lab's end of one client process. */
export class LabClient {
  readonly name: string;
  readonly #process: ClientProcess;
  readonly #onHappening: (what: ClientHappening) => void;
  readonly #waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
  #orders = 0;
  #hasEnded = false;

  /** @param start starts its process */
  constructor(
    name: string,
    start: (listeners: ClientListeners) => ClientProcess,
    onHappening: (what: ClientHappening) => void,
  ) {
    this.name = name;
    this.#onHappening = onHappening;
    this.#process = start({
      onMessage: (message) => this.#hear(message as ClientNews),
      onEnd: () => this.#end(),
    });
  }

  get pid(): number | null {
    return this.#process.pid;
  }

  /** Resolves when it has had time to connect. @throws Error when it ends first, or is not ready in time */
  ready(): Promise<unknown> {
    return this.#wait(0);
  }

  /** @throws Error when the process has ended, does not answer in time, or could not do it */
  async ask<Name extends Verb>(order: Order<Name> & { readonly verb: Name }): Promise<ClientAnswers[Name]> {
    this.#orders += 1;
    const answer = this.#wait(this.#orders);
    this.#process.send({ ...order, order: this.#orders });
    return (await answer) as ClientAnswers[Name];
  }

  /** SIGSTOP: it does nothing, and knows nothing of it. */
  pause(): void {
    this.#process.pause();
  }

  /** SIGCONT. */
  resume(): void {
    this.#process.resume();
  }

  /** SIGKILL. */
  end(): Promise<void> {
    return this.#process.end();
  }

  #wait(order: number): Promise<unknown> {
    if (this.#hasEnded) return Promise.reject(this.#gone());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(order);
        reject(new Error(`Client ${this.name} did not answer within ${ANSWER_WITHIN_MS / 1000} s.`));
      }, ANSWER_WITHIN_MS);
      const settle = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(order);
      };
      this.#waiting.set(order, {
        resolve: (answer) => {
          settle();
          resolve(answer);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      });
    });
  }

  #hear(news: ClientNews): void {
    if (news.kind === "ready") this.#waiting.get(0)?.resolve(undefined);
    else if (news.kind === "happened") this.#onHappening(news.what);
    else if (news.kind === "answer") this.#waiting.get(news.order)?.resolve(news.answer);
    else this.#waiting.get(news.order)?.reject(new Error(`Client ${this.name}: ${news.text}`));
  }

  #end(): void {
    this.#hasEnded = true;
    for (const { reject } of [...this.#waiting.values()]) reject(this.#gone());
  }

  #gone(): Error {
    return new Error(`The process of client ${this.name} has ended.`);
  }
}
