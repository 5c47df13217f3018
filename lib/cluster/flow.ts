import type { Socket } from "node:net";

/** How the bytes of one direction are treated at the moment. */
export interface Valve {
  /** Bytes wait, in order, until this is false again. */
  isHeld(): boolean;
  /** Milliseconds that each piece is late. */
  delayMs(): number;
  /** What arrives in place of a piece; left out, the piece itself. */
  rewrite?(bytes: Buffer): Buffer;
}

/** More than this waiting in one direction stops reading: the sender then feels the same back pressure as on a real network. */
const WAITING_BYTES_MAX = 1024 * 1024;

/**
 * Carries the bytes of one direction from one socket to another, perhaps late, perhaps not now, but all of them and in order.
 *
 * It never drops any: TCP does not either, and a client that lost the middle of a stream would take later replies for earlier ones.
 */
export class Flow {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #valve: Valve;
  /** What waits; null stands for the end of the stream. */
  #waiting: { readonly dueAt: number; readonly bytes: Buffer | null }[] = [];
  #waitingBytes = 0;
  #isChoked = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(from: Socket, to: Socket, valve: Valve) {
    this.#from = from;
    this.#to = to;
    this.#valve = valve;
    from.on("data", (bytes: Buffer) => this.#take(bytes));
    from.on("end", () => this.#take(null));
    to.on("drain", () => {
      this.#isChoked = false;
      this.review();
    });
  }

  /** To be called when the valve has been turned. */
  review(): void {
    this.#deliver();
    const isFull = this.#waitingBytes > WAITING_BYTES_MAX;
    if (this.#valve.isHeld() || isFull || this.#isChoked) this.#from.pause();
    else this.#from.resume();
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#waiting = [];
  }

  #take(bytes: Buffer | null): void {
    const arriving = bytes === null ? null : (this.#valve.rewrite?.(bytes) ?? bytes);
    this.#waiting.push({ dueAt: performance.now() + this.#valve.delayMs(), bytes: arriving });
    this.#waitingBytes += bytes?.length ?? 0;
    this.review();
  }

  #deliver(): void {
    if (this.#valve.isHeld()) return;
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const waitMs = next.dueAt - performance.now();
      if (waitMs > 0) {
        this.#arm(waitMs);
        return;
      }
      this.#waiting.shift();
      this.#waitingBytes -= next.bytes?.length ?? 0;
      if (next.bytes === null) this.#to.end();
      else if (this.#to.writable) this.#isChoked = !this.#to.write(next.bytes) || this.#isChoked;
    }
  }

  #arm(waitMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.review();
    }, waitMs);
  }
}
