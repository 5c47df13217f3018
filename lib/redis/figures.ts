import type { Reply, Send } from "./connection";

/** What a server says of itself when it is asked how it is; each answer may be missing or refused. */
export interface Figures {
  readonly info: Reply;
  readonly keys: number | null;
  /** Answers to CONFIG GET, for `settingOf` in facts.ts. */
  readonly fsync: Reply;
  readonly save: Reply;
}

/** Asks a server how it is, all at once. Never rejects. */
export async function askFigures(send: Send): Promise<Figures> {
  const [info, size, fsync, save] = await Promise.all([
    askInfo(send),
    send("DBSIZE"),
    send("CONFIG", "GET", "appendfsync"),
    send("CONFIG", "GET", "save"),
  ]);
  return { info, keys: size.kind === "answer" ? Number(size.value) : null, fsync, save };
}

/** What `factsFromInfo` reads. Not `INFO all`: percentiles per command, which nobody reads, are most of its work on a server. */
export async function askInfo(send: Send): Promise<Reply> {
  const [info, calls] = await Promise.all([send("INFO"), send("INFO", "commandstats")]);
  if (info.kind !== "answer" || calls.kind !== "answer") return info;
  return { kind: "answer", value: `${String(info.value)}${String(calls.value)}` };
}
