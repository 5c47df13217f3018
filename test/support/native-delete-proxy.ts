import { connect, createServer, type Socket } from "node:net";

/** Commands that servers newer than the tests' own have, told apart by what follows the key. */
export type NativeCommand = "DELEX" | "DELIFEQ";

/** What those commands do, for a server that has neither. */
const DELETE_IF_EQUAL = `
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then return 0 end
if kind ~= 'string' then return redis.error_reply('WRONGTYPE Operation against a key holding the wrong kind of value') end
return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('DEL', KEYS[1]) or 0`;

/** A way to a server that stands for a newer one: what that one would do is done by a script, in the same place of the order. */
export interface NativeDeleteProxy {
  readonly url: string;
  /** How often the command was sent. */
  readonly calls: number;
  /** From now on the command is refused like one that a login may not use. */
  deny(): void;
  close(): Promise<void>;
}

/** @param target port of the server on 127.0.0.1 */
export async function startNativeDeleteProxy(target: number, command: NativeCommand): Promise<NativeDeleteProxy> {
  const sockets = new Set<Socket>();
  let calls = 0;
  let isDenied = false;
  const translated = (words: readonly string[]): readonly string[] => {
    const [name = "", key = "", ...rest] = words;
    if (name === "COMMAND") return ["EVAL", "return { false, { ARGV[1] } }", "0", command.toLowerCase()];
    if (name !== command) return words;
    calls += 1;
    if (isDenied) return ["EVAL", "return redis.error_reply('NOPERM this user may not run it')", "0"];
    return ["EVAL", DELETE_IF_EQUAL, "1", key, rest.at(-1) ?? ""];
  };
  const listener = createServer((client) => {
    const server = connect({ port: target, host: "127.0.0.1", noDelay: true });
    let waiting = "";
    client.on("data", (bytes: Buffer) => {
      waiting += bytes.toString("latin1");
      for (let next = firstOf(waiting); next !== null; next = firstOf(waiting)) {
        waiting = waiting.slice(next.length);
        server.write(Buffer.from(textOf(translated(next.words)), "latin1"));
      }
    });
    server.on("data", (bytes: Buffer) => client.write(bytes));
    for (const [one, other] of [[client, server] as const, [server, client] as const]) {
      sockets.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `redis://127.0.0.1:${address.port}`,
    get calls() {
      return calls;
    },
    deny() {
      isDenied = true;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}

/** The first whole command of a stream, one character a byte; null when it is not all there. */
function firstOf(text: string): { readonly words: readonly string[]; readonly length: number } | null {
  let at = 0;
  const number = (): number | null => {
    const end = text.indexOf("\r\n", at);
    if (end < 0) return null;
    const value = Number(text.slice(at + 1, end));
    at = end + 2;
    return value;
  };
  const count = number();
  if (count === null) return null;
  const words: string[] = [];
  while (words.length < count) {
    const length = number();
    if (length === null || text.length < at + length + 2) return null;
    words.push(text.slice(at, at + length));
    at += length + 2;
  }
  return { words, length: at };
}

function textOf(words: readonly string[]): string {
  return `*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join("")}`;
}
