import { connect, createServer, type Socket } from "node:net";

type Direction = "requests" | "replies";

/** A way to a server on which a test can separate what TCP would keep together: a request from its reply, old from new. */
export interface MeddlingProxy {
  readonly port: number;
  readonly url: string;
  /** How many connections were ever made through it. */
  readonly connections: number;
  /** From now on existing connections keep what goes in this direction for later. */
  hold(direction: Direction): void;
  /** How many bytes are being kept. */
  heldBytes(): number;
  /** Ends all connections towards the client, as if it had lost them; the server is not told, and what is held stays held. */
  cutClients(): void;
  /** From now on takes out of the replies what fits, as a middleman does that does not know it. */
  swallow(pattern: RegExp): void;
  /** Delivers what was held, of one direction if it is named, to whoever is still there. */
  deliver(direction?: Direction): void;
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  isHolding: Record<Direction, boolean>;
  held: { direction: Direction; to: Socket; bytes: Buffer }[];
}

/** @param target port of the server on 127.0.0.1 */
export async function startMeddlingProxy(target: number): Promise<MeddlingProxy> {
  const pairs: Pair[] = [];
  let swallowed: RegExp | null = null;
  const listener = createServer((client) => {
    const server = connect({ port: target, host: "127.0.0.1", noDelay: true });
    const pair: Pair = { client, server, isHolding: { requests: false, replies: false }, held: [] };
    pairs.push(pair);
    const pass = (direction: Direction, to: Socket) => (bytes: Buffer) => {
      if (pair.isHolding[direction]) pair.held.push({ direction, to, bytes });
      else if (to.writable) to.write(bytes);
    };
    client.on("data", pass("requests", server));
    const passReplies = pass("replies", client);
    server.on("data", (bytes: Buffer) => {
      const rest = swallowed === null ? bytes : Buffer.from(bytes.toString("latin1").replace(swallowed, ""), "latin1");
      if (rest.length > 0) passReplies(rest);
    });
    server.on("close", () => client.destroy());
    for (const socket of [client, server]) {
      socket.on("error", () => {
        // A reset is what some tests are about.
      });
    }
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    url: `redis://127.0.0.1:${address.port}`,
    get connections() {
      return pairs.length;
    },
    hold(direction) {
      for (const pair of pairs) pair.isHolding[direction] = true;
    },
    heldBytes: () => pairs.flatMap((pair) => pair.held).reduce((sum, { bytes }) => sum + bytes.length, 0),
    cutClients() {
      for (const pair of pairs) pair.client.destroy();
    },
    swallow(pattern) {
      swallowed = pattern;
    },
    deliver(only) {
      for (const pair of pairs) {
        const isMeant = (direction: Direction) => only === undefined || direction === only;
        for (const direction of ["requests", "replies"] as const) {
          if (isMeant(direction)) pair.isHolding[direction] = false;
        }
        for (const { direction, to, bytes } of pair.held) if (isMeant(direction) && to.writable) to.write(bytes);
        pair.held = pair.held.filter(({ direction }) => !isMeant(direction));
      }
    },
    async close() {
      for (const { client, server } of pairs) {
        client.destroy();
        server.destroy();
      }
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
