import { Command } from "ioredis";

/** One word of a command, as bytes or text. */
export type Argument = string | Buffer | number;

/**
 * One word as it goes over the wire, one character per byte, so that words can be put together as text and kept for the next node.
 */
export function bulk(word: Argument): string {
  if (typeof word === "number") return bulkOfAscii(String(word));
  if (typeof word !== "string") return bulkOfAscii(word.toString("latin1"));
  return Buffer.byteLength(word) === word.length
    ? bulkOfAscii(word)
    : bulkOfAscii(Buffer.from(word).toString("latin1"));
}

function bulkOfAscii(text: string): string {
  return `$${text.length}\r\n${text}\r\n`;
}

/** A whole command as it goes over the wire. */
export function commandText(name: string, args: readonly Argument[]): string {
  let text = `*${args.length + 1}\r\n${bulk(name)}`;
  for (const arg of args) text += bulk(arg);
  return text;
}

/**
 * A command whose text is made already, and that is answered by a call. ioredis writes a command as text made of a thousand pieces,
 * which costs Node several times what writing the same bytes costs, and makes it anew for each node; and a promise per command is more
 * than everything else about it.
 */
export class WireCommand extends Command {
  readonly #text: string;

  /**
   * @param text as `commandText`
   * @param tell called once: with the reply as it came, or with an error from the server or of the connection
   */
  constructor(name: string, text: string, tell: (value: unknown, error: Error | null) => void) {
    super(name, [], { replyEncoding: null });
    this.#text = text;
    this.resolve = (value) => tell(value, null);
    this.reject = (error) => tell(null, error);
  }

  override toWritable(): Buffer {
    return Buffer.from(this.#text, "latin1");
  }
}
