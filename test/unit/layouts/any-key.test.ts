import fc from "fast-check";
import { expect, test } from "vitest";
import { KNOWN_LAYOUTS, type Sighting } from "@/lib/layouts";

// Whatever stands in a key of somebody else: it is only ever looked at.

const CLIENT = "6f0829ed-bfd3-4e6f-bba3-6f3d66cd176c";
const keys = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom("lock:x", "redlock:x", "syncguard:x", "a:b:c:lock", "x:write", "semaphore:x", "uniquejobs:0:LOCKED"),
);
const bytes = fc.uint8Array({ maxLength: 60 }).map((value) => Buffer.from(value).toString("latin1"));
const words = fc.oneof(
  bytes,
  fc.constantFrom("mode", "read", "write", "1", "__write__", `${CLIENT}:1`, `${CLIENT}:1:write`, `${"S".repeat(43)}=`),
  fc.constantFrom("A==", "A==:lock_count", `WEB_1_${"0f".repeat(16)}`, "0a".repeat(16), CLIENT),
);
const sightings: fc.Arbitrary<Sighting> = fc.record({
  key: keys,
  type: fc.constantFrom("string", "hash", "zset", "set", "list", "stream"),
  value: fc.option(fc.oneof(bytes, words)),
  elements: fc.option(fc.record({ size: fc.nat(40), words: fc.array(words, { maxLength: 12 }) })),
  hasExpiry: fc.boolean(),
});

test("is identified without a failure, and a release compares before it changes anything", () => {
  fc.assert(
    fc.property(sightings, (sighting) => {
      const release = KNOWN_LAYOUTS.identify(sighting)?.release();
      if (release === undefined) return;
      if (release.kind === "refused") {
        expect(release.reason).toMatch(/\.$/);
        return;
      }
      const { key, expects, steps } = release.recipe;
      expect(expects.length).toBeGreaterThan(0);
      expect(expects.every((one) => one.key === key)).toBe(true);
      expect(steps.length).toBeGreaterThan(0);
    }),
    { numRuns: 2000 },
  );
});

test.each([0, 1])("a read lock without a reader, of size %i, is not released: there is nothing to compare", (size) => {
  const sighting: Sighting = {
    key: "x",
    type: "hash",
    value: null,
    elements: { size, words: ["mode", "read"] },
    hasExpiry: false,
  };
  expect(KNOWN_LAYOUTS.identify(sighting)?.release()).toMatchObject({ kind: "refused" });
});

test("does not show its owner in the recognition", () => {
  fc.assert(
    fc.property(sightings, (sighting) => {
      const identity = KNOWN_LAYOUTS.identify(sighting);
      const { id, holderLabel = null } = identity?.recognition ?? {};
      // The id of a job gives nobody the right to release it.
      if (
        identity?.owner == null ||
        holderLabel === null ||
        identity.owner.length < 8 ||
        id === "sidekiq-unique-jobs"
      ) {
        return;
      }
      expect(holderLabel).not.toContain(identity.owner);
    }),
    { numRuns: 2000 },
  );
});
