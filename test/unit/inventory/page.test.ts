import { beforeEach, describe, expect, test } from "vitest";
import { AppError, locksQuerySchema } from "@/lib/contract";
import type { Ledger } from "@/lib/inventory/ledger";
import { pageOf } from "@/lib/inventory/page";
import { contextAt, newLedger, onAll, standsAt } from "./ledger-rig";

let ledger: Ledger;
let now: number;
beforeEach(() => {
  ledger = newLedger();
  now = 1000;
});

function judge(resource: string, text: string) {
  ledger.judge(resource, standsAt(now, text), contextAt(now), true);
}

const query = (given: object) => locksQuerySchema.parse(given);
const page = (given: object) => pageOf(ledger, query(given), contextAt(now));
const namesOf = (given: object) => page(given).locks.map((lock) => lock.resource);

describe("a page of locks", () => {
  beforeEach(() => {
    judge("c", onAll("t@9000"));
    judge("a", onAll("t"));
    judge("b", "t@4000 u@4000 - - -");
    judge("d", "t@5000 t@5000 - - -");
  });

  test("puts problems first, then names in order", () => {
    expect(namesOf({})).toEqual(["b", "d", "a", "c"]);
  });

  test.each([
    ["resource", ["a", "b", "c", "d"]],
    ["-resource", ["d", "c", "b", "a"]],
    ["remaining", ["b", "d", "c", "a"]],
    ["-remaining", ["a", "c", "d", "b"]],
  ])("sorts by %s", (sort, names) => {
    expect(namesOf({ sort })).toEqual(names);
  });

  test("filters by verdict and counts without the filter", () => {
    expect(page({ verdict: "held,split" })).toMatchObject({
      total: 3,
      counts: { held: 2, at_risk: 0, possibly_held: 0, split: 1, leftover: 1, free: 0 },
      noExpiry: 1,
      problems: 3,
    });
  });

  test("begins at an offset, whatever stands there", () => {
    expect(namesOf({ sort: "resource", offset: "1", limit: "2" })).toEqual(["b", "c"]);
    expect(page({ sort: "resource", offset: "9" })).toMatchObject({ locks: [], total: 4, nextCursor: null });
  });

  test("refuses an offset together with a cursor", () => {
    expect(locksQuerySchema.safeParse({ offset: "1", cursor: "x" }).success).toBe(false);
  });

  test("shows what time alone has done, before any node was asked again", () => {
    expect(namesOf({ verdict: "held" })).toEqual(["a", "c"]);
    now = 9000;
    expect(namesOf({ verdict: "held" })).toEqual(["a"]);
    expect(page({}).counts).toMatchObject({ held: 1, free: 3, split: 0, leftover: 0 });
  });

  test("puts every held lock at risk when too few nodes vote to confirm an extension, and takes it back", () => {
    const counts = (votingNodes: number) => ledger.rows.counters(contextAt(now, votingNodes)).counts;
    expect(counts(2)).toMatchObject({ held: 0, at_risk: 2 });
    expect(counts(3)).toMatchObject({ held: 2, at_risk: 0 });
  });

  test("knows bounds on time as they come true", () => {
    expect(namesOf({ q: "ttl<5s" })).toEqual(["b", "d"]);
    now = 4500;
    expect(namesOf({ q: "ttl<5s" })).toEqual(["d", "c", "b"]);
    expect(namesOf({ q: "age>3s", sort: "resource" })).toEqual(["a", "b", "c", "d"]);
  });
});

describe("walking through the pages", () => {
  const names = Array.from({ length: 25 }, (_, index) => `r${String(index).padStart(2, "0")}`);

  beforeEach(() => {
    for (const name of names) judge(name, onAll("t@9000"));
  });

  test("shows everything once, also when rows come and go in between", () => {
    const first = page({ sort: "resource", limit: "10" });
    judge("r09", onAll("-"));
    judge("r05b", onAll("t@9000"));
    judge("r10b", onAll("t@9000"));
    const second = page({ sort: "resource", limit: "10", cursor: first.nextCursor ?? "" });
    const third = page({ sort: "resource", limit: "10", cursor: second.nextCursor ?? "" });
    const walked = [first, second, third].flatMap(({ locks }) => locks.map((lock) => lock.resource));
    expect(walked).toEqual([...names, "r10b"].sort());
    expect(third.nextCursor).toBeNull();
  });

  test.each(["nonsense", Buffer.from('["resource",1]').toString("base64url")])("refuses the cursor %s", (cursor) => {
    expect(() => page({ sort: "resource", cursor })).toThrow(AppError);
  });

  test("refuses the cursor of another order", () => {
    const { nextCursor } = page({ sort: "resource", limit: "1" });
    expect(() => page({ sort: "-resource", cursor: nextCursor ?? "" })).toThrow(AppError);
  });
});
