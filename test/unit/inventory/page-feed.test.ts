import { beforeEach, describe, expect, test } from "vitest";
import type { Ledger } from "@/lib/inventory/ledger";
import { PageFeed, type PageView } from "@/lib/inventory/page-feed";
import { contextAt, newLedger, onAll, standsAt } from "./ledger-rig";

let ledger: Ledger;
let now: number;
beforeEach(() => {
  ledger = newLedger();
  now = 1000;
});

const scan = { complete: 5, n: 5, nodes: [] };
const judge = (resource: string, text: string) => ledger.judge(resource, standsAt(now, text), contextAt(now), true);
const feedOf = (view: Partial<PageView>) =>
  new PageFeed(
    ledger,
    { q: "", sort: "resource", offset: 0, limit: 2, watch: [], ...view },
    { context: () => contextAt(now), scan: () => scan },
  );
const namesOf = (locks: readonly { readonly resource: string }[] = []) => locks.map(({ resource }) => resource);

describe("what a page is told", () => {
  beforeEach(() => {
    for (const name of ["a", "b", "c", "d"]) judge(name, onAll("t@9000"));
  });

  test("begins with its rows in order, and says how many there are", () => {
    const first = feedOf({ offset: 1 }).first();
    expect(namesOf(first.locks)).toEqual(["b", "c"]);
    expect(first).toMatchObject({ total: 4, page: { offset: 1, ids: ["b", "c"], total: 4, counts: { held: 4 } } });
  });

  test("hears nothing while nothing changes for it", () => {
    const feed = feedOf({});
    feed.first();
    expect(feed.next()).toBeNull();
    now += 500;
    expect(feed.next()).toBeNull();
  });

  test("hears of a row that changed, once", () => {
    const feed = feedOf({});
    feed.first();
    judge("b", onAll("u@9000"));
    expect(namesOf(feed.next()?.changed)).toEqual(["b"]);
    expect(feed.next()).toBeNull();
  });

  test("does not hear of a change beyond its rows but for the counters", () => {
    const feed = feedOf({});
    feed.first();
    judge("d", onAll("u@9000"));
    expect(feed.next()).toBeNull();
    judge("d", onAll("-"));
    expect(feed.next()).toMatchObject({ changed: [], removed: [], page: { ids: ["a", "b"], total: 3 } });
  });

  test("hears what comes in, in which order, and goes on hearing of what was pushed out", () => {
    const feed = feedOf({});
    feed.first();
    judge("aa", onAll("t@9000"));
    const pushed = feed.next();
    expect(namesOf(pushed?.changed)).toEqual(["aa"]);
    expect(pushed).toMatchObject({ removed: [], page: { ids: ["a", "aa"], total: 5 } });
    judge("b", onAll("-"));
    expect(feed.next()).toMatchObject({ removed: ["b"], page: { ids: ["a", "aa"], total: 4 } });
  });

  test("gets all changes of a long time as one difference", () => {
    const feed = feedOf({});
    feed.first();
    for (let round = 0; round < 1000; round += 1) judge("a", onAll(`t${round}@9000`));
    expect(feed.next()?.changed).toMatchObject([{ resource: "a", holder: { fingerprint: "t999" } }]);
  });

  test("follows single locks whatever the filter, also one that is not there yet", () => {
    const feed = feedOf({ q: "b", watch: ["d", "later"] });
    expect(namesOf(feed.first().locks)).toEqual(["b", "d"]);
    judge("later", onAll("t@9000"));
    expect(feed.next()).toMatchObject({ changed: [{ resource: "later" }], page: { ids: ["b"], total: 1 } });
    judge("d", onAll("-"));
    expect(feed.next()).toMatchObject({ changed: [], removed: ["d"] });
  });

  test("may show no row at all and only count", () => {
    const feed = feedOf({ limit: 0 });
    expect(feed.first()).toMatchObject({ locks: [], total: 4, page: { ids: [], total: 4 } });
    judge("a", onAll("u@9000"));
    expect(feed.next()).toBeNull();
  });
});
