import { createServer, type Server, type Socket } from "node:net";

const LINE_CHARS_MAX = 512;

/** A write that has reached a ledger. */
export interface LedgerWrite {
  readonly client: string;
  readonly fence: number | null;
  readonly isAccepted: boolean;
  readonly text: string;
}

/**
 * Something small that a lock protects: keeps the last value written, over a socket, as a database would.
 *
 * One line per write, `client fence value`, with `-` for no fence; answered `+written` or `-` and why not. A fenced one refuses a
 * number below the highest it has seen, in the same step in which it would store: what `UPDATE … WHERE fence <= $1` does.
 */
export class Ledger {
  readonly name: string;
  readonly port: number;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;

  private constructor(name: string, server: Server, sockets: Set<Socket>) {
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error(`The ${name} has no port.`);
    this.name = name;
    this.port = address.port;
    this.#server = server;
    this.#sockets = sockets;
  }

  /** @param onWrite hears of each write as it is decided */
  static open(name: string, isFenced: boolean, onWrite: (write: LedgerWrite) => void): Promise<Ledger> {
    const write = writer(isFenced);
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      let line = "";
      socket.on("error", () => socket.destroy());
      socket.on("close", () => sockets.delete(socket));
      socket.on("data", (bytes) => {
        line += bytes.toString("utf8");
        if (line.length > LINE_CHARS_MAX) socket.destroy();
        if (!line.includes("\r\n")) return;
        const done = write(line.trim());
        line = "";
        onWrite(done);
        socket.end(`${done.isAccepted ? "+" : "-"}${done.text}\r\n`);
      });
    });
    return new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen({ port: 0, host: "127.0.0.1" }, () => {
        server.unref();
        resolve(new Ledger(name, server, sockets));
      });
    });
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

function writer(isFenced: boolean): (line: string) => LedgerWrite {
  let highest = Number.NEGATIVE_INFINITY;
  let last: { readonly client: string; readonly value: string } | null = null;
  return (line) => {
    const [client = "", number = "-", ...words] = line.split(" ");
    const fence = number === "-" ? null : Number(number);
    if (isFenced && (fence === null || !(fence >= highest))) {
      const why = fence === null ? "it has no fence" : `its fence is below ${highest}, the highest seen`;
      return { client, fence, isAccepted: false, text: `refused, ${why}` };
    }
    const over = last === null || last.client === client ? "" : ` over "${last.value}" of ${last.client}`;
    if (fence !== null) highest = Math.max(highest, fence);
    last = { client, value: words.join(" ") };
    return { client, fence, isAccepted: true, text: `written${over}` };
  };
}
