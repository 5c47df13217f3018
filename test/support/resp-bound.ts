import { connect, type Socket } from "node:net";

/** Compare-and-delete, as the Redis documentation has it. */
const RELEASE = "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) else return 0 end";

/**
 * The least that acquire and release can cost in Node: a client made by hand that knows only `SET NX PX` and the release script, joins
 * what is asked in one turn into one write, and has neither time limits nor any other care. A measure for benchmarks, not a lock.
 */
export class RespBound {
  readonly #links: readonly Link[];
  readonly #quorum: number;

  private constructor(links: readonly Link[]) {
    this.#links = links;
    this.#quorum = Math.floor(links.length / 2) + 1;
  }

  static async connect(ports: readonly number[]): Promise<RespBound> {
    return new RespBound(await Promise.all(ports.map((port) => Link.open(port))));
  }

  /** @returns whether a majority granted it */
  acquire(resource: string, token: string, ttlMs: number): Promise<boolean> {
    const command = `*6\r\n${bulk("SET")}${bulk(resource)}${bulk(token)}${bulk("NX")}${bulk("PX")}${bulk(String(ttlMs))}`;
    return this.#majority(command, "+");
  }

  /** @returns whether a majority deleted it */
  release(resource: string, token: string): Promise<boolean> {
    return this.#majority(`*5\r\n${bulk("EVALSHA")}${bulk(Link.sha)}${bulk("1")}${bulk(resource)}${bulk(token)}`, ":1");
  }

  close(): void {
    for (const link of this.#links) link.close();
  }

  #majority(command: string, success: string): Promise<boolean> {
    return new Promise((resolve) => {
      let wins = 0;
      let answers = 0;
      const onReply = (reply: string): void => {
        answers += 1;
        if (reply.startsWith(success)) wins += 1;
        if (wins === this.#quorum) resolve(true);
        else if (answers === this.#links.length) resolve(false);
      };
      for (const link of this.#links) link.send(command, onReply);
    });
  }
}

/** Of text that is ASCII. */
function bulk(text: string): string {
  return `$${text.length}\r\n${text}\r\n`;
}

class Link {
  static sha = "";
  readonly #socket: Socket;
  #out = "";
  #rest = "";
  /** A ring would be quicker to empty; it is emptied from the front in one go per packet. */
  #waiting: ((reply: string) => void)[] = [];

  static async open(port: number): Promise<Link> {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    const link = new Link(socket);
    const hash = await link.#ask(`*3\r\n${bulk("SCRIPT")}${bulk("LOAD")}${bulk(RELEASE)}`);
    Link.sha = hash;
    return link;
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (bytes) => this.#read(bytes.toString("latin1")));
  }

  send(command: string, onReply: (reply: string) => void): void {
    if (this.#out === "") process.nextTick(() => this.#flush());
    this.#out += command;
    this.#waiting.push(onReply);
  }

  close(): void {
    this.#socket.destroy();
  }

  #ask(command: string): Promise<string> {
    return new Promise((resolve) => this.send(command, resolve));
  }

  #flush(): void {
    this.#socket.write(this.#out, "latin1");
    this.#out = "";
  }

  #read(text: string): void {
    const all = this.#rest + text;
    const waiting = this.#waiting;
    let from = 0;
    let answered = 0;
    for (let to = all.indexOf("\r\n"); to >= 0; to = all.indexOf("\r\n", from)) {
      const line = all.slice(from, to);
      from = to + 2;
      // The length of a bulk string says nothing that its line end does not: no reply here contains one.
      if (line.startsWith("$") && !line.startsWith("$-1")) continue;
      waiting[answered]?.(line);
      answered += 1;
    }
    this.#rest = all.slice(from);
    this.#waiting = waiting.slice(answered);
  }
}
