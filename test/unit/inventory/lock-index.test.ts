import fc from "fast-check";
import { expect, test } from "vitest";
import { isProblem, locksQuerySchema, SEVERITY } from "@/lib/contract";
import { pageOf } from "@/lib/inventory/page";
import { contextAt, newLedger, onAll, standsAt } from "./ledger-rig";

// The kept lists against lists made anew, over random histories in which keys come, go, move and run out.

const WORDS = ["-", "t@END", "u@END", "t", "?t@END", "?"];

const step = fc.record({
  resource: fc.integer({ min: 0, max: 30 }).map((index) => `lock:${index}`),
  words: fc.array(fc.constantFrom(...WORDS), { minLength: 5, maxLength: 5 }),
  lifeMs: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.constant(90_000)),
  waitMs: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 0, max: 60 }) }, fc.integer({ min: 900, max: 70_000 })),
  votingNodes: fc.constantFrom(5, 5, 5, 4, 2),
});

const QUERIES = [
  {},
  { sort: "-remaining" },
  { sort: "since", q: "lock:1" },
  { sort: "holder", verdict: "held,at_risk,leftover" },
  { sort: "resource", node: "b" },
  { q: "ttl<200ms" },
  { q: "is:problem", sort: "-resource" },
].map((given) => locksQuerySchema.parse({ ...given, limit: "1000" }));

test("a list that is kept up to date is the list made anew", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
      const kept = newLedger();
      let now = 1000;
      const history: (readonly [number, string, ReturnType<typeof standsAt>])[] = [];
      for (const { resource, words, lifeMs, waitMs, votingNodes } of steps) {
        now += waitMs;
        const stands = standsAt(now, words.join(" ").replaceAll("END", String(now + lifeMs)));
        history.push([now, resource, stands]);
        kept.judge(resource, stands, contextAt(now, votingNodes), true);
        const context = contextAt(now + Math.floor(lifeMs / 2), votingNodes);
        now = context.now;
        const anew = newLedger();
        for (const [at, name, seen] of history) anew.judge(name, seen, contextAt(at), true);
        for (const query of QUERIES) {
          expect(pageOf(kept, query, context)).toEqual(pageOf(anew, query, context));
        }
        // Rows know of evidence what the views say that are made only now.
        const { locks, problems } = pageOf(kept, locksQuerySchema.parse({ sort: "resource", limit: "1000" }), context);
        const suspects = locks.filter((lock) => lock.verdict !== "free" && isProblem(lock)).map(({ id }) => id);
        const asked = locksQuerySchema.parse({ q: "is:problem", sort: "resource", limit: "1000" });
        expect(pageOf(kept, asked, context).locks.map(({ id }) => id)).toEqual(suspects);
        expect(problems).toBe(suspects.length);
      }
    }),
    { numRuns: 40 },
  );
});

test("what a page shows of a row is what it was filtered by", () => {
  const ledger = newLedger();
  for (let index = 0; index < 200; index += 1) {
    const word = ["t@3000", "t", "-"][index % 3];
    ledger.judge(`r${index}`, standsAt(1000, `t@2000 t@${1500 + index} ${word} - ?`), contextAt(1000), true);
  }
  for (let now = 1000; now < 3200; now += 211) {
    const context = contextAt(now);
    for (const verdict of SEVERITY) {
      const { locks, total, counts } = pageOf(ledger, locksQuerySchema.parse({ verdict, limit: "1000" }), context);
      expect(locks.every((lock) => lock.verdict === verdict)).toBe(true);
      expect(total).toBe(counts[verdict]);
    }
  }
});

test("a lock becomes a problem by waiting alone, in its own list and in the count", () => {
  const ledger = newLedger();
  for (const at of [0, 200, 400, 600, 800]) {
    ledger.judge("r:2", standsAt(at, onAll("t@300000")), contextAt(at), true);
    ledger.judge("r:2", standsAt(at, onAll("-")), contextAt(at + 100), true);
  }
  ledger.judge("r:1", standsAt(1000, onAll("t@300000")), contextAt(1000), true);
  const page = (now: number, q: string) => pageOf(ledger, locksQuerySchema.parse({ q }), contextAt(now));
  // A second more than the longest hold before.
  expect(page(2099, "is:problem")).toMatchObject({ total: 0, problems: 0 });
  expect(page(2101, "is:problem")).toMatchObject({ total: 1, problems: 1 });
  expect(page(2101, "evidence:held")).toMatchObject({ total: 1 });
});

test("a list stays right when half of the locks change between two questions", () => {
  const ledger = newLedger();
  const context = contextAt(1000);
  const change = (from: number, to: number, token: string) => {
    for (let index = from; index < to; index += 2)
      ledger.judge(`r${index}`, standsAt(1000, onAll(token)), context, true);
  };
  const names = () => pageOf(ledger, locksQuerySchema.parse({ sort: "holder", limit: "1000" }), context).locks;
  change(0, 600, "b");
  change(1, 600, "b");
  names();
  change(0, 600, "a");
  const holders = names().map(({ holder }) => holder?.fingerprint);
  expect(holders).toEqual([...Array(300).fill("a"), ...Array(300).fill("b")]);
});
