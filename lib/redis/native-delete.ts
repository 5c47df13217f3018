import type { Item } from "./batch-item";
import type { Reply, Send } from "./connection";
import { bulk } from "./wire";

/** How each command that deletes a key only when it holds a value is told so. */
const COMMANDS = {
  /** Redis 8.4 and later. */
  DELEX: (key: string, token: string) => `*4\r\n${bulk("DELEX")}${key}${bulk("IFEQ")}${token}`,
  /** Valkey 9 and later. */
  DELIFEQ: (key: string, token: string) => `*3\r\n${bulk("DELIFEQ")}${key}${token}`,
} as const;

/**
 * A server's own compare-and-delete, where it has one, for releases that are sent alone: it costs the server a fraction of a script.
 *
 * Acquires and extensions have no such way: no command carries a latest time of execution, or looks at the restart guard's marker, and
 * `SET … IFEQ` could shorten a lock. A batch is one script call however many releases there are.
 */
export class NativeDelete {
  #command: keyof typeof COMMANDS | null = null;

  /** Asks a fresh connection's server what it has; until it has answered it counts as having nothing. */
  greet(send: Send): void {
    this.#command = null;
    void send("COMMAND", "INFO", ...Object.keys(COMMANDS)).then((reply) => {
      this.#command = commandOf(reply);
    });
  }

  /** @returns the call for this request alone, and its name; null when it needs a script */
  callOf({ verb, asked, piece }: Item): { readonly command: string; readonly text: string } | null {
    if (this.#command === null || verb.isVote || asked.resources.length !== 1) return null;
    return { command: this.#command, text: COMMANDS[this.#command](piece.keys, piece.token) };
  }

  /**
   * Whether the answer says all. With 0 the key is gone or somebody else's, which a script tells apart; an error may be about the command
   * only, which is not used again on this connection then, unless it is about what stands in the key.
   */
  isAnswered(reply: Reply): boolean {
    if (reply.kind === "error" && !reply.reason.startsWith("WRONGTYPE")) this.#command = null;
    return reply.kind === "answer" ? reply.value === 1 : reply.kind !== "error";
  }
}

function commandOf(reply: Reply): keyof typeof COMMANDS | null {
  if (reply.kind !== "answer" || !Array.isArray(reply.value)) return null;
  const known = reply.value.flatMap((entry) => (Array.isArray(entry) ? [String(entry[0]).toUpperCase()] : []));
  if (known.includes("DELEX")) return "DELEX";
  return known.includes("DELIFEQ") ? "DELIFEQ" : null;
}
