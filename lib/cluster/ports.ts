import { createServer } from "node:net";

/**
 * Below what operating systems hand out for outgoing connections (from 32768 on Linux, 49152 elsewhere): a port from there could
 * be taken while its node is stopped, or even connect to itself.
 */
const PORT_MAX = 32_000;

const RANDOM_FROM = 20_000;
const RANDOM_SPAN = 10_000;

/** Ports given out by this process and not yet given back. */
const taken = new Set<number>();

/**
 * The first free port from `from` upwards on 127.0.0.1; reserved in this process until `givePortBack`. Another process may still
 * take it before it is used.
 */
export async function takePort(from: number): Promise<number> {
  for (let port = from; port <= PORT_MAX; port += 1) {
    if (taken.has(port)) continue;
    taken.add(port);
    if (await isFree(port)) return port;
    taken.delete(port);
  }
  throw new Error(`No free port between ${from} and ${PORT_MAX} on 127.0.0.1.`);
}

/** A place to start such a search where others hardly do. */
export function randomPort(): number {
  return RANDOM_FROM + Math.floor(RANDOM_SPAN * Math.random());
}

export function givePortBack(port: number): void {
  taken.delete(port);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)));
  });
}
