import { expect, test } from "vitest";
import { Backlog } from "@/lib/inventory/backlog";

/** A backlog over resources that come and go. */
function backlogOver(names: readonly string[]) {
  const resources = new Set(names);
  const coming = new Set<string>();
  const time = { now: 0 };
  const backlog = new Backlog({
    now: () => time.now,
    everything: () => resources,
    count: () => resources.size,
    isComing: (resource) => coming.has(resource),
  });
  return { backlog, resources, coming, time };
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `orders:${index}`);

test("gives what changed first, and each once", () => {
  const { backlog } = backlogOver(["a", "b"]);
  backlog.addEverything();
  for (const resource of ["c", "c", "d"]) backlog.add(resource);
  expect(backlog.take(10)).toEqual(["c", "d", "a", "b"]);
  expect([backlog.changed, backlog.affected]).toEqual([0, 0]);
});

test("everything is looked at again from the beginning when it is affected once more on the way, after those at the end", () => {
  const { backlog } = backlogOver(["a", "b", "c", "d"]);
  backlog.addEverything();
  expect(backlog.take(2)).toEqual(["a", "b"]);
  backlog.addEverything();
  expect([...backlog.take(4), ...backlog.take(4)]).toEqual(["c", "d", "a", "b", "c", "d"]);
  expect(backlog.take(4)).toEqual([]);
  expect(backlog.affected).toBe(0);
});

test("a resource that comes while everything is looked at has its turn, one that goes has none", () => {
  const { backlog, resources } = backlogOver(["a", "b"]);
  backlog.addEverything();
  expect(backlog.take(1)).toEqual(["a"]);
  resources.delete("b");
  resources.add("c");
  expect(backlog.take(10)).toEqual(["c"]);
});

test("looking at very many is followed by a rest as long as it took", () => {
  const { backlog, time } = backlogOver(names(2000));
  backlog.addEverything();
  backlog.take(1000);
  time.now = 300;
  expect(backlog.take(1001)).toHaveLength(1000);
  backlog.addEverything();
  expect(backlog.affectedDelayMs).toBe(300);
  expect(backlog.take(1000)).toEqual([]);
  time.now = 600;
  expect(backlog.take(1000)).toHaveLength(1000);
});

test("a resource that is still being read on another node waits for it, but not for ever", () => {
  const { backlog, coming, time } = backlogOver([]);
  coming.add("a");
  backlog.add("a");
  backlog.add("b");
  expect(backlog.take(10)).toEqual(["b"]);
  time.now = 20;
  backlog.add("a");
  expect(backlog.take(10)).toEqual([]);
  time.now = 30;
  expect(backlog.take(10)).toEqual(["a"]);
});
