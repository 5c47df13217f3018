import fc from "fast-check";
import { expect, test } from "vitest";
import { Sample } from "@/lib/inventory/sample";

test("says what sorting the latest values says, whatever came, went and was taken back", () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.boolean()), { maxLength: 200 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), steps, (limit, all) => {
      const sample = new Sample(limit);
      let latest: number[] = [];
      for (const [value, isTakenBack] of all) {
        sample.add(value);
        latest = [...latest, value].slice(-limit);
        if (!isTakenBack) continue;
        sample.takeBack(value);
        latest.pop();
      }
      const sorted = [...latest].sort((a, b) => a - b);
      const rank = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
      expect(sample.size).toBe(latest.length);
      expect(sample.quantiles()).toEqual({ p50: rank(0.5), p99: rank(0.99) });
    }),
  );
});
