import { describe, expect, test } from "vitest";
import { AppError, locksQuerySchema } from "@/lib/contract";
import { type LockRow, pageOf } from "@/lib/inventory/page";
import { lockView } from "./lock-view";

function row(resource: string, more: Parameters<typeof lockView>[1] = {}, endAt = 1000): LockRow {
  return { view: lockView(resource, more), endAt };
}

const query = (given: object) => locksQuerySchema.parse(given);
const namesOf = (rows: readonly LockRow[], given: object) =>
  pageOf(rows, query(given)).locks.map((lock) => lock.resource);

const ROWS = [
  row("c", { verdict: "held" }, 3000),
  row("a", { verdict: "held" }, Number.POSITIVE_INFINITY),
  row("b", { verdict: "split" }, 1000),
  row("d", { verdict: "leftover" }, 2000),
];

describe("a page of locks", () => {
  test("puts problems first, then names in order", () => {
    expect(namesOf(ROWS, {})).toEqual(["b", "d", "a", "c"]);
  });

  test.each([
    ["resource", ["a", "b", "c", "d"]],
    ["-resource", ["d", "c", "b", "a"]],
    ["remaining", ["b", "d", "c", "a"]],
    ["-remaining", ["a", "c", "d", "b"]],
  ])("sorts by %s", (sort, names) => {
    expect(namesOf(ROWS, { sort })).toEqual(names);
  });

  test("filters by verdict and counts without the filter", () => {
    const page = pageOf(ROWS, query({ verdict: "held,split" }));
    expect(page.total).toBe(3);
    expect(page.counts).toEqual({ held: 2, at_risk: 0, possibly_held: 0, split: 1, leftover: 1, free: 0 });
  });

  test("walks through everything once, also when rows come and go between the pages", () => {
    const many = Array.from({ length: 25 }, (_, index) => row(`r${String(index).padStart(2, "0")}`));
    const first = pageOf(many, query({ sort: "resource", limit: "10" }));
    const changed = [...many.filter(({ view }) => view.resource !== "r09"), row("r05b"), row("r10b")];
    const second = pageOf(changed, query({ sort: "resource", limit: "10", cursor: first.nextCursor ?? "" }));
    const third = pageOf(changed, query({ sort: "resource", limit: "10", cursor: second.nextCursor ?? "" }));
    const names = [first, second, third].flatMap(({ locks }) => locks.map((lock) => lock.resource));
    expect(names).toEqual([...many.map(({ view }) => view.resource), "r10b"].sort());
    expect(third.nextCursor).toBeNull();
  });

  test.each(["nonsense", Buffer.from('["resource",1]').toString("base64url")])("refuses the cursor %s", (cursor) => {
    expect(() => pageOf(ROWS, query({ sort: "resource", cursor }))).toThrow(AppError);
  });

  test("refuses the cursor of another order", () => {
    const { nextCursor } = pageOf(ROWS, query({ sort: "resource", limit: "1" }));
    expect(() => pageOf(ROWS, query({ sort: "-resource", cursor: nextCursor ?? "" }))).toThrow(AppError);
  });
});
