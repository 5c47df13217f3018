import fc from "fast-check";
import { expect, test } from "vitest";
import { Ends } from "@/lib/inventory/ends";

test("names each resource once its first end has passed, soon after, and never before", () => {
  const endOf = fc.record({ resource: fc.constantFrom("a", "b", "c", "d"), endAt: fc.integer({ min: 0, max: 3000 }) });
  fc.assert(
    fc.property(fc.array(endOf, { maxLength: 30 }), (notes) => {
      const ends = new Ends(0);
      const first = new Map<string, number>();
      for (const { resource, endAt } of notes) {
        ends.note(resource, endAt);
        first.set(resource, Math.min(endAt, first.get(resource) ?? Number.POSITIVE_INFINITY));
      }
      const named = new Map<string, number>();
      for (let now = 10; now <= 3200; now += 10) {
        for (const resource of ends.take(now)) {
          expect(named.has(resource)).toBe(false);
          named.set(resource, now);
        }
      }
      expect([...named.keys()].sort()).toEqual([...first.keys()].sort());
      for (const [resource, now] of named) {
        const endAt = first.get(resource) ?? 0;
        expect(now).toBeGreaterThanOrEqual(endAt);
        expect(now - endAt).toBeLessThanOrEqual(100);
      }
    }),
    { numRuns: 200 },
  );
});

test("names a resource again that was noted again", () => {
  const ends = new Ends(0);
  ends.note("a", 100);
  expect(ends.take(200)).toEqual(["a"]);
  expect(ends.take(300)).toEqual([]);
  ends.note("a", 250);
  expect(ends.take(400)).toEqual(["a"]);
});

test("never names what never ends", () => {
  const ends = new Ends(0);
  ends.note("a", Number.POSITIVE_INFINITY);
  expect(ends.take(1_000_000)).toEqual([]);
});
