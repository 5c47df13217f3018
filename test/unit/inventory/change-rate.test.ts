import { expect, test } from "vitest";
import { ChangeRate } from "@/lib/inventory/change-rate";

test.each([100, 1000, 5000])("%i changes a second are counted as about so many", (perSecond) => {
  const rate = new ChangeRate();
  let now = 0;
  for (let change = 0; change < perSecond; change += 1) {
    now = (change * 1000) / perSecond;
    rate.note(now);
  }
  expect(rate.perSecond(now) / perSecond).toBeCloseTo(1, 0);
  expect(rate.perSecond(now + 50) / perSecond).toBeGreaterThan(0.5);
  expect(rate.perSecond(now + 1000)).toBe(0);
});

test("a burst after a stall counts as no more than the changes of its time", () => {
  const rate = new ChangeRate();
  for (let ms = 0; ms < 500; ms += 1) rate.note(ms);
  for (let change = 0; change < 60; change += 1) rate.note(560);
  for (let ms = 560; ms < 660; ms += 1) {
    rate.note(ms);
    expect(rate.perSecond(ms)).toBeLessThan(1700);
  }
});
