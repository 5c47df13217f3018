import type { Redis } from "ioredis";

const CLOSE_WITHIN_MS = 1000;
const PAUSE_MS_MIN = 50;
const PAUSE_MS_MAX = 1000;

/** Pauses before attempts to connect. Counted here and not by ioredis, to which a server that accepts and closes at once is a success. */
export class ConnectPauses {
  #failures = 0;

  /** @returns milliseconds, longer each time, at random so that many clients do not come back at once */
  nextMs(): number {
    const pauseMs = Math.min(PAUSE_MS_MIN * 2 ** this.#failures, PAUSE_MS_MAX);
    this.#failures += 1;
    return pauseMs * (0.75 + Math.random() / 4);
  }

  /** To be called when the server has answered on a connection. */
  reset(): void {
    this.#failures = 0;
  }
}

/** Waits until a client that was told to disconnect has closed its socket, for a second at most. */
export function disconnected(client: Redis, wasOpen: boolean): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, CLOSE_WITHIN_MS);
    client.once("end", () => {
      clearTimeout(timer);
      resolve();
    });
    // Only an open connection has something to hand over before it closes.
    if (!wasOpen) client.stream?.destroy();
  });
}
