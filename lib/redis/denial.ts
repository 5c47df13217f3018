import type { Reply } from "./connection";

/** How Redis and Valkey say that a user may not, by command, by key, or within a script. */
const DENIED = /NOPERM|can't run this command|No permissions/i;

/** Whether the server refused for a lack of permission. @param words its own */
export function isDenied(words: string): boolean {
  return DENIED.test(words);
}

/** Whether the user of a node may vote there, by what the server said to the last vote. */
export class Denial {
  #words: string | null = null;

  /** The server's own words; null when it has not refused the last vote for a lack of permission. */
  get words(): string | null {
    return this.#words;
  }

  /** Takes in the answer to a vote. One that never came says nothing. */
  note(reply: Reply): void {
    if (reply.kind === "answer") this.#words = null;
    else if (reply.kind === "error" && isDenied(reply.reason)) this.#words = reply.reason;
  }
}
