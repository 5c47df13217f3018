import { expect, test } from "vitest";
import { Stride } from "@/lib/inventory/stride";

const READING = { restFactor: 0.5, ignoresIdle: true };
const VERIFYING = { restFactor: 19, ignoresIdle: false };

/** Steps that take so long each. @returns the rests, milliseconds */
function rests(stride: Stride, steps: readonly number[], budget = READING): readonly number[] {
  return steps.map((tookMs) => stride.answered(tookMs, budget));
}

test("an idle node is read in long steps without a rest", () => {
  const stride = new Stride();
  expect(rests(stride, [1, 2, 1.5, 2, 1, 1.9])).toEqual([0, 0, 0, 0, 0, 0]);
  expect(stride.keys).toBe(1000);
});

test("a node that takes longer than when idle is left alone for half of that, in rests that a timer can keep", () => {
  const stride = new Stride();
  rests(stride, [1, 1]);
  expect(rests(stride, [12])).toEqual([5]);
  expect(rests(stride, [4, 4, 4])).toEqual([0, 2, 0]);
});

test("a node that is slow for long gets shorter steps, and again long ones when it is quick", () => {
  const stride = new Stride();
  rests(stride, [1, 1]);
  rests(stride, [30]);
  expect(stride.keys).toBe(500);
  rests(stride, [2]);
  expect(stride.keys).toBe(1000);
});

test("steps that bring no answer become short, but not endlessly", () => {
  const stride = new Stride();
  for (let failure = 0; failure < 10; failure += 1) stride.failed();
  expect(stride.keys).toBe(25);
});

test("looking whether a change was missed leaves the node alone for most of the time, idle or not", () => {
  expect(rests(new Stride(), [1, 2], VERIFYING)).toEqual([19, 38]);
});
