import { expect, test } from "vitest";
import { globMatcher } from "@/lib/layouts";

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
