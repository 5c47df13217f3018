import { expect, test } from "vitest";
import { contextAt, newLedger, onAll, standsAt } from "./ledger-rig";

const LOCKS = 2500;
const AT = 1000;

/** Locks that are held, all until the same moment. */
function ledgerWithMany() {
  const ledger = newLedger();
  for (let index = 0; index < LOCKS; index += 1) {
    ledger.judge(`orders:${index}`, standsAt(AT, onAll("aaaa@50000")), contextAt(AT), true);
  }
  return ledger;
}

test("very many locks are put at risk in stretches, and taken back", () => {
  const { rows } = ledgerWithMany();
  const atRisk = (now: number, votingNodes: number) => rows.counters(contextAt(now, votingNodes)).counts.at_risk;
  expect([2000, 2000, 2050, 2100].map((now) => atRisk(now, 2))).toEqual([1000, 1000, 2000, LOCKS]);
  expect(atRisk(2150, 5)).toBe(LOCKS - 1000);
  expect(atRisk(2200, 2)).toBe(LOCKS);
});

test("very many locks that end at one moment are free after a few stretches", () => {
  const { rows } = ledgerWithMany();
  const free = (now: number) => rows.counters(contextAt(now)).counts.free;
  expect(free(49_999)).toBe(0);
  expect([50_000, 50_000, 50_050, 50_100].map(free)).toEqual([1000, 1000, 2000, LOCKS]);
});

test("a lock that is judged meanwhile is as it was judged", () => {
  const ledger = ledgerWithMany();
  const name = `orders:${LOCKS - 1}`;
  ledger.rows.counters(contextAt(2000, 2));
  ledger.judge(name, standsAt(2010, onAll("bbbb@50000")), contextAt(2010, 2), true);
  expect(ledger.rows.get(name, contextAt(2010, 2))).toMatchObject({
    verdict: "at_risk",
    holder: { fingerprint: "bbbb" },
  });
  ledger.rows.counters(contextAt(2060, 2));
  ledger.rows.counters(contextAt(2120, 2));
  expect(ledger.rows.get(name, contextAt(2120, 2))).toMatchObject({ holder: { fingerprint: "bbbb" } });
  expect(ledger.rows.counters(contextAt(2120, 2)).counts.at_risk).toBe(LOCKS);
});

test("locks that were renewed very often end in their order", () => {
  const ledger = newLedger();
  const names = ["a", "b", "c", "d", "e"];
  for (let renewal = 0; renewal < 500; renewal += 1) {
    for (const [index, name] of names.entries()) {
      const end = 20_000 + renewal + 1000 * ((index * 3) % 5);
      ledger.judge(name, standsAt(AT + renewal, onAll(`aaaa@${end}`)), contextAt(AT + renewal), true);
    }
  }
  const freeAt = (now: number) => names.filter((name) => ledger.rows.get(name, contextAt(now))?.verdict === "free");
  expect([20_600, 21_600, 22_600, 23_600, 24_600].map((now) => freeAt(now).join(""))).toEqual([
    "a",
    "ac",
    "ace",
    "abce",
    "abcde",
  ]);
});
