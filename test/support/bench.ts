import { type ChildProcess, spawn } from "node:child_process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Redis } from "ioredis";

/** One line of a benchmark's result. */
export type BenchRow = Readonly<Record<string, string | number | null>>;

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** @param share 0.99 = p99 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function rounded(value: number, digits = 1): number {
  return Number(value.toFixed(digits));
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Bytes on the heap after two forced collections. */
export function heapBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") for (let round = 0; round < 2; round += 1) collect();
  return process.memoryUsage().heapUsed;
}

/** Seconds of processor time a server has used. */
export async function serverCpuSeconds(client: Redis): Promise<number> {
  const info = await client.info("cpu");
  const [user, system] = ["user", "sys"].map((kind) =>
    Number(new RegExp(`^used_cpu_${kind}:(.*)`, "m").exec(info)?.[1]),
  );
  return (user ?? 0) + (system ?? 0);
}

/** Commands a server has executed. */
export async function commandsDone(client: Redis): Promise<number> {
  return Number(/^total_commands_processed:(\d+)/m.exec(await client.info("stats"))?.[1]);
}

// Plain Node in processes of their own, so that neither the writer nor the other client shares an event loop with the mirror.

const PINGER = `
const socket = require("net").connect(Number(process.argv[1]), "127.0.0.1"); socket.setNoDelay();
const times = []; let sentAt = 0;
const ping = () => { sentAt = performance.now(); socket.write("PING\\r\\n"); };
socket.on("connect", ping);
socket.once("data", () => process.stdout.write("\\n"));
socket.on("data", () => { times.push(performance.now() - sentAt); setTimeout(ping, 4); });
process.on("SIGTERM", () => { process.stdout.write(JSON.stringify(times), () => process.exit()); });
`;

/** SET and DEL of locks lock:w:0…999, so many a second, in one write per 10 ms. */
const WRITER = `
const socket = require("net").connect(Number(process.argv[1]), "127.0.0.1"); socket.setNoDelay(); socket.resume();
const perTick = Number(process.argv[2]) / 100; let n = 0; const startedAt = performance.now();
setInterval(() => {
  const due = Math.floor((performance.now() - startedAt) / 10) * perTick; let text = "";
  for (; n < due; n += 1) {
    const key = "lock:w:" + (n >> 1) % 1000;
    text += n % 2 ? "DEL " + key + "\\r\\n" : "SET " + key + " 0123456789abcdef0123456789abcdef PX 30000\\r\\n";
  }
  if (text) socket.write(text);
}, 10);
`;

/** Another client of a server, which notices how long it must wait. Resolves once it has an answer. @returns ends it; its waits in milliseconds */
export async function startPinger(port: number): Promise<() => Promise<readonly number[]>> {
  const child = spawn(process.execPath, ["-e", PINGER, String(port)], { stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout.on("data", (text: Buffer) => {
    printed += text;
  });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  return async () => {
    await ended(child);
    return JSON.parse(printed) as number[];
  };
}

/** A client that takes and gives back locks on one server. @returns ends it */
export function startWriter(port: number, perSecond: number): () => Promise<void> {
  const child = spawn(process.execPath, ["-e", WRITER, String(port), String(perSecond)], { stdio: "ignore" });
  return () => ended(child);
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGTERM");
  await gone;
}
