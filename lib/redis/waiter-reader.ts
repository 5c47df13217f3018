import type { WaiterSource } from "@/lib/layouts";
import type { Connection, Reply } from "./connection";
import { WAITERS_MAX, type WaiterAnswer } from "./master";
import { faultOf, UNEXPECTED } from "./votes";

/** Looks at one place where waiters can be seen. */
export async function readWaiters({ send, isUsable, reason }: Connection, source: WaiterSource): Promise<WaiterAnswer> {
  if (!isUsable) return { kind: "unreachable", reason };
  const last = WAITERS_MAX - 1;
  switch (source.kind) {
    case "list":
      return queueOf(await Promise.all([send("LRANGE", bytes(source.key), 0, last), send("LLEN", bytes(source.key))]));
    case "sorted_set":
      return ranked(
        await Promise.all([send("ZRANGE", bytes(source.key), 0, last, "WITHSCORES"), send("ZCARD", bytes(source.key))]),
      );
    case "subscribers":
      return countIn(await send("PUBSUB", "NUMSUB", bytes(source.channel)), (value) =>
        Array.isArray(value) ? Number(value[1]) : Number.NaN,
      );
    case "blocked_clients":
      return countIn(await send("INFO", "clients"), (value) =>
        Number(/^blocked_clients:(\d+)/m.exec(String(value))?.[1]),
      );
    default:
      return source satisfies never;
  }
}

function queueOf([range, size]: readonly [Reply, Reply]): WaiterAnswer {
  if (range.kind !== "answer") return faultOf(range);
  if (size.kind !== "answer") return faultOf(size);
  const entries = Array.isArray(range.value) ? (range.value as readonly unknown[]) : null;
  if (entries === null || typeof size.value !== "number") return UNEXPECTED;
  return {
    kind: "waiters",
    count: size.value,
    entries: entries.flatMap((entry) => (entry instanceof Buffer ? [entry] : [])),
    scores: null,
  };
}

/** Entries and scores come one after the other. */
function ranked(replies: readonly [Reply, Reply]): WaiterAnswer {
  const answer = queueOf(replies);
  if (answer.kind !== "waiters" || answer.entries === null) return answer;
  return {
    ...answer,
    entries: answer.entries.filter((_, index) => index % 2 === 0),
    scores: answer.entries.filter((_, index) => index % 2 === 1).map(Number),
  };
}

function countIn(reply: Reply, read: (value: unknown) => number): WaiterAnswer {
  if (reply.kind !== "answer") return faultOf(reply);
  const count = read(reply.value);
  return Number.isInteger(count) ? { kind: "waiters", count, entries: null, scores: null } : UNEXPECTED;
}

function bytes(text: string): Buffer {
  return Buffer.from(text, "latin1");
}
