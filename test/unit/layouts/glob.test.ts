import { expect, test } from "vitest";
import { globMatcher, literalPrefix, prefixesOf } from "@/lib/layouts";

test.each([
  ["*", "anything", true],
  ["lock:*", "lock:", true],
  ["lock:*", "lock:a\nb", true],
  ["lock:*", "a:lock:b", false],
  ["l?ck", "lock", true],
  ["l?ck", "lck", false],
  ["[a-c]x", "bx", true],
  ["[^a-c]x", "bx", false],
  ["[^a-c]x", "zx", true],
  ["\\*", "*", true],
  ["\\*", "a", false],
  ["a.b", "axb", false],
  ["a[b", "a[b", true],
])("%s matches %s: %s", (pattern, key, matches) => {
  expect(globMatcher(pattern)(key)).toBe(matches);
});

test.each([
  ["lock:*", "lock:"],
  ["a?b", "a"],
  ["x[ab]*", "x"],
  ["exact", "exact"],
  ["odd\\*\\[:*", "odd*[:"],
  ["*", ""],
])("every key that fits %s begins with %s", (pattern, prefix) => {
  expect(literalPrefix(pattern)).toBe(prefix);
});

test("prefixes leave out those that begin with another, since a server refuses overlapping ones", () => {
  expect(prefixesOf(["orders:eu:*", "orders:*", "jobs:[ab]", "orders:*:x"])).toEqual(["orders:", "jobs:"]);
});

test("a pattern without a beginning of its own needs every key", () => {
  expect(prefixesOf(["orders:*", "*:lock"])).toEqual([]);
});
