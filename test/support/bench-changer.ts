import { spawn } from "node:child_process";

/** Each lock of these is held for half a second, so that 500 of them change a thousand times a second. */
const NAMES = 500;

/** A lock that was taken or given back, and when, milliseconds since the epoch. */
export interface Change {
  readonly name: string;
  readonly at: number;
}

// Plain Node in a process of its own: making changes costs more than what is measured.
const CHANGER = `
const [ports, perMs, names] = JSON.parse(process.argv[1]);
const sockets = ports.map((port) => { const one = require("net").connect(port, "127.0.0.1"); one.setNoDelay(); one.resume(); return one; });
const changes = []; let n = 0; const startedAt = performance.now();
setInterval(() => {
  let text = "";
  for (const due = (performance.now() - startedAt) * perMs; n < due; n += 1) {
    const isTaken = n % 2 === 0;
    const name = "lock:d:" + ((n >> 1) + (isTaken ? 0 : names / 2)) % names;
    text += isTaken ? "SET " + name + " 0123456789abcdef" + String(n).padStart(16, "0") + " PX 30000\\r\\n" : "DEL " + name + "\\r\\n";
    changes.push({ name, at: performance.timeOrigin + performance.now() });
  }
  if (text) for (const socket of sockets) socket.write(text);
}, 1);
process.on("SIGTERM", () => process.stdout.write(JSON.stringify(changes), () => process.exit()));
`;

/** Takes and gives back locks on all servers at a steady rate, past the console. @returns ends it: what it changed */
export function startChanger(ports: readonly number[], perSecond: number): () => Promise<readonly Change[]> {
  const given = JSON.stringify([ports, perSecond / 1000, NAMES]);
  const child = spawn(process.execPath, ["-e", CHANGER, given], { stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout.on("data", (text: Buffer) => {
    printed += text;
  });
  return async () => {
    const gone = new Promise((resolve) => child.once("close", resolve));
    child.kill("SIGTERM");
    await gone;
    return JSON.parse(printed) as Change[];
  };
}

/** How long after a change it was first told, of those that were told before the next change of the same lock, milliseconds. */
export function waitsOf(changes: readonly Change[], told: readonly Change[]): readonly number[] {
  const [changedAt, toldAt] = [byName(changes), byName(told)];
  const waits: number[] = [];
  for (const [name, changesOfOne] of changedAt) {
    const events = toldAt.get(name) ?? [];
    for (const [index, { at }] of changesOfOne.entries()) {
      const nextAt = changesOfOne[index + 1]?.at ?? Number.POSITIVE_INFINITY;
      const first = events.find((event) => event.at >= at && event.at < nextAt);
      if (first !== undefined) waits.push(first.at - at);
    }
  }
  return waits;
}

function byName(changes: readonly Change[]): ReadonlyMap<string, readonly Change[]> {
  const found = new Map<string, Change[]>();
  for (const change of changes) {
    const known = found.get(change.name);
    if (known === undefined) found.set(change.name, [change]);
    else known.push(change);
  }
  return found;
}
