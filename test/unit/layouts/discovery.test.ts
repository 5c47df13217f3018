import { describe, expect, test } from "vitest";
import { discover, globMatcher, KNOWN_LAYOUTS, patternsLine, type Sample } from "@/lib/layouts";
import { groupKeys } from "@/lib/layouts/key-groups";
import { readEnvironment } from "@/lib/setup/environment.mjs";

const HEX = "8f3a91c21b77d0ab8f3a91c25b77d0ab";
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const words = ["ann", "bob", "cid", "dora", "eve", "fritz"];

function sample(key: string, value: string | null, over: Partial<Sample["sighting"]> = {}, node = "a"): Sample {
  return { node, sighting: { key, type: "string", value, elements: null, hasExpiry: true, ...over } };
}

const groupsOf = (samples: readonly Sample[], isCovered = (_: string) => false) =>
  discover(samples, KNOWN_LAYOUTS, isCovered);

describe("keys are grouped", () => {
  test.each([
    [
      ["orders:1", "orders:2", "users:17"],
      ["orders:*", "users:*"],
    ],
    [
      ["bull:mail:17:lock", "bull:mail:18:lock", "bull:mail:18"],
      ["bull:mail:*:lock", "bull:mail:*"],
    ],
    [words.map((name) => `user:${name}`), ["user:*"]],
    [words.map((name) => `user:${name}:cart`), ["user:*:cart"]],
    [
      ["a:x", "a:y"],
      ["a:x", "a:y"],
    ],
    [["job.1.lock", "job.2.lock"], ["job.*.lock"]],
    [["config"], ["config"]],
    [["we ird:a*b"], ["we?ird:a\\*b"]],
    [["\u0000bytes:s\u00ff:a"], ["s?:a"]],
    [["a\u0000b"], ["a?b"]],
    [[`x${":a".repeat(100)}`], ["x:a:a:a:a:a:*"]],
  ])("%j as %j", (keys, patterns) => {
    expect([...groupKeys(keys).keys()].sort()).toEqual([...patterns].sort());
  });

  test("by what kinds have in common, also where there are many kinds and few locks among them", () => {
    const kinds = ["session", "cache", "cart", "user", "mail", "price", "stock"];
    const keys = [
      ...kinds.flatMap((kind) => numbers(10).map((n) => `${kind}:${n}`)),
      "job-lock:7",
      ...kinds.flatMap((kind) => numbers(10).map((n) => `prod:${kind}:${n}`)),
      "prod:mutex:9",
      ...numbers(100).flatMap((n) => words.map((word) => `team-${n}:${word}-${n}`)),
    ];
    const patterns = [...kinds, ...kinds.map((kind) => `prod:${kind}`), "job-lock", "prod:mutex"];
    expect([...groupKeys(keys).keys()].sort()).toEqual([...patterns.map((kind) => `${kind}:*`), "*:*"].sort());
  });

  test("so that every key is in one group and fits its pattern", () => {
    const keys = [
      ...numbers(50).map((n) => `a:${n}:b`),
      ...words,
      ...words.map((word) => `t/${word}.x`),
      "",
      ":",
      "é:ü",
    ];
    const groups = [...groupKeys(keys)];
    expect(groups.flatMap(([, own]) => own).sort()).toEqual([...keys].sort());
    for (const [pattern, own] of groups) expect(own.filter((key) => !globMatcher(pattern)(key))).toEqual([]);
  });
});

test("says which groups look like locks, the surer the earlier, and why", () => {
  const samples = [
    ...numbers(10).map((n) => sample(`session:${n}`, '{"user":1}')),
    ...numbers(9).map((n) => sample(`orders:${n}`, HEX)),
    sample("orders:10", "something else"),
    ...numbers(3).map((n) => sample(`syncguard:${n}`, '{"lockId":"x"}')),
    ...numbers(3).map((n) => sample(`deploy-lock:${n}`, "ann")),
  ];
  expect(groupsOf(samples).map(({ pattern, confidence, keys }) => [pattern, confidence, keys])).toEqual([
    ["syncguard:*", "certain", 3],
    ["orders:*", "probable", 10],
    ["deploy-lock:*", "possible", 3],
    ["session:*", null, 10],
  ]);
  const [, orders, deploy, session] = groupsOf(samples);
  expect(orders?.reasons).toEqual(["9 of 10 look like node-redlock or compatible (probable)."]);
  expect(deploy?.reasons.join()).toContain("REDLOCK_LAYOUTS");
  expect(session?.reasons).toHaveLength(1);
});

test("takes a value that masters agree on for a lock's, though no client is known to write such", () => {
  const on = (node: string, hasExpiry: boolean) =>
    numbers(3).map((n) => sample(`work:${n}`, `me-${n}`, { hasExpiry }, node));
  expect(groupsOf([...on("a", true), ...on("b", true)])[0]).toMatchObject({
    pattern: "work:*",
    confidence: "probable",
  });
  expect(groupsOf(on("a", true))[0]?.confidence).toBeNull();
  expect(groupsOf([...on("a", false), ...on("b", false)])[0]?.confidence).toBeNull();
});

test("keeps keys of different types apart", () => {
  const hash = {
    type: "hash",
    value: null,
    elements: { size: 1, words: ["6f0829ed-bfd3-4e6f-bba3-6f3d66cd176c:42", "1"] },
  };
  const groups = groupsOf([sample("orders:1", "x"), sample("orders:2", null, hash)]);
  expect(groups.map(({ type, confidence }) => [type, confidence])).toEqual([
    ["hash", "certain"],
    ["string", null],
  ]);
});

test("gives a line that the console's own settings read back", () => {
  const groups = groupsOf([sample("lock:1", "me"), sample("my lock,x:1", "me"), sample("session:1", "x")]);
  const line = patternsLine(groups, null);
  expect(line).toBe('REDLOCK_KEY_PATTERNS="lock:* my?lock?x:*"');
  const patterns = readEnvironment({ REDLOCK_KEY_PATTERNS: line?.slice('REDLOCK_KEY_PATTERNS="'.length, -1) }).config;
  expect(patterns.keyPatterns).toEqual(["lock:*", "my?lock?x:*"]);
  expect(patternsLine(groupsOf([sample("session:1", "x")]), null)).toBeNull();
});

test("adds to the patterns that are set what they do not cover, and never takes one away", () => {
  const samples = [sample("lock:1", "me"), sample("mutex:1", "me"), sample("session:1", "x")];
  const present = ["lock:*", "rarely-seen:*"];
  const groups = groupsOf(samples, globMatcher("lock:*"));
  expect(patternsLine(groups, present)).toBe('REDLOCK_KEY_PATTERNS="lock:* rarely-seen:* mutex:*"');
  expect(
    patternsLine(
      groupsOf(samples, () => true),
      present,
    ),
  ).toBeNull();
});

test("does not offer a pattern that fits every key, and says why", () => {
  const groups = groupsOf([...words.map((word) => sample(word, HEX)), sample("lock:1", "me")]);
  const bare = groups.find(({ pattern }) => pattern === "*");
  expect(bare).toMatchObject({ confidence: "probable", keys: words.length });
  expect(bare?.reasons.join(" ")).toContain("leave REDLOCK_KEY_PATTERNS unset");
  expect(patternsLine(groups, null)).toBe('REDLOCK_KEY_PATTERNS="lock:*"');
});

test("says on which nodes the keys are, how many of them expire, and how many are read already", () => {
  const samples = [
    sample("lock:1", "me", {}, "b"),
    sample("lock:1", "me", {}, "a"),
    sample("lock:2", "me", { hasExpiry: false }),
  ];
  const [group] = groupsOf(samples, (key) => key === "lock:1");
  expect(group).toMatchObject({ keys: 2, expiring: 1, covered: 1, nodes: ["a", "b"] });
});
