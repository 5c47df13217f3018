import { describe, expect, test } from "vitest";
import { ChangeQueue } from "@/lib/inventory/changes";
import type { ReadAnswer } from "@/lib/redis";
import { VirtualClock } from "@/lib/redlock";

/** A queue over a node that answers as told. */
function queueOver(answer: (resources: readonly string[]) => Promise<ReadAnswer>) {
  const clock = new VirtualClock();
  const reads: (readonly string[])[] = [];
  let overflows = 0;
  const queue = new ChangeQueue({
    clock,
    read: (resources) => {
      reads.push(resources);
      return answer(resources);
    },
    onOverflow: () => {
      overflows += 1;
    },
  });
  return { clock, reads, queue, overflows: () => overflows };
}

const answered: ReadAnswer = { kind: "readings", readings: [], roundTripMs: 1 };
const silent: ReadAnswer = { kind: "timeout" };

describe("changed keys", () => {
  test("are read each once, together", async () => {
    const { clock, reads, queue } = queueOver(() => Promise.resolve(answered));
    for (const key of ["a", "b", "a", "c", "a"]) queue.add(key);
    await clock.advance(20);
    expect(reads).toEqual([["a", "b", "c"]]);
  });

  test("that change again while they are read are read again", async () => {
    let answer: (value: ReadAnswer) => void = () => undefined;
    const { clock, reads, queue } = queueOver(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    queue.add("a");
    await clock.advance(20);
    queue.add("a");
    expect(queue.has("a")).toBe(true);
    await clock.advance(20);
    expect(reads).toEqual([["a"]]);
    answer(answered);
    await clock.advance(20);
    expect(reads).toEqual([["a"], ["a"]]);
  });

  test("are read again until the node answers, and only then count as read", async () => {
    let isSilent = true;
    const { clock, reads, queue } = queueOver(() => Promise.resolve(isSilent ? silent : answered));
    queue.add("a");
    let isCaughtUp: boolean | null = null;
    void queue.caughtUp().then((isRead) => {
      isCaughtUp = isRead;
    });
    await clock.advance(200);
    expect(reads.length).toBeGreaterThan(2);
    expect(isCaughtUp).toBeNull();
    isSilent = false;
    await clock.advance(200);
    expect(isCaughtUp).toBe(true);
    expect(queue.has("a")).toBe(false);
  });

  test("are caught up with although others come all the time", async () => {
    const { clock, queue } = queueOver(() => Promise.resolve(answered));
    for (let key = 0; key < 600; key += 1) queue.add(`first:${key}`);
    let isCaughtUp = false;
    void queue.caughtUp().then(() => {
      isCaughtUp = true;
    });
    for (let step = 0; step < 20 && !isCaughtUp; step += 1) {
      for (let key = 0; key < 200; key += 1) queue.add(`later:${step}:${key}`);
      await clock.advance(7);
    }
    expect(isCaughtUp).toBe(true);
    expect(queue.has("first:599")).toBe(false);
  });

  test.each([
    { perMs: 1, what: "soon, also after a stall", least: 170, most: 260 },
    { perMs: 8, what: "seldom, where there are very many", least: 20, most: 60 },
  ])("$perMs per ms are read $what", async ({ perMs, least, most }) => {
    const { clock, reads, queue } = queueOver(() => Promise.resolve(answered));
    let count = 0;
    const add = (keys: number) => {
      for (const until = count + keys; count < until; count += 1) queue.add(`key:${count}`);
    };
    add(60);
    for (let ms = 0; ms < 2000; ms += 1) {
      add(perMs);
      await clock.advance(1);
      if (ms === 1000) reads.length = 0;
    }
    expect(reads.length).toBeGreaterThan(least);
    expect(reads.length).toBeLessThan(most);
  });

  test("that are too many are forgotten, and somebody is told", async () => {
    const { clock, queue, overflows } = queueOver(() => new Promise(() => undefined));
    queue.add("under way");
    await clock.advance(20);
    const caughtUp = queue.caughtUp();
    for (let key = 0; key < 20_001; key += 1) queue.add(`key:${key}`);
    expect(overflows()).toBe(1);
    expect(await caughtUp).toBe(false);
  });
});
