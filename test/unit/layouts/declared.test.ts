import { describe, expect, test } from "vitest";
import { type DeclaredLayout, layoutsWith } from "@/lib/layouts";
import { maskedLines, readEnvironment } from "@/lib/setup/environment.mjs";

const PAYMENTS = {
  id: "payments",
  pattern: "pay:*:lock",
  holder: { regex: "host=([^;]+)" },
  publish: { channel: "freed:{key}", message: "1" },
};

function declared(...entries: readonly object[]): readonly DeclaredLayout[] {
  const { config, errors } = readEnvironment({ REDLOCK_LAYOUTS: JSON.stringify(entries) });
  if (errors.length > 0) throw new Error(errors.join("\n"));
  return config.layouts;
}

function identify(entry: object, key: string, type: string, content: string | readonly string[]) {
  const isText = typeof content === "string";
  const size = type === "set" ? content.length : content.length / 2;
  return layoutsWith(declared(entry)).identify({
    key,
    type,
    value: isText ? content : null,
    elements: isText ? null : { size, words: content },
    hasExpiry: true,
  });
}

describe("a declared layout", () => {
  test("names the holder by an expression, and wakes who waits", () => {
    const identity = identify(PAYMENTS, "pay:7:lock", "string", "host=web-01;pid=3");
    expect(identity?.recognition).toEqual({
      id: "payments",
      label: "payments",
      confidence: "certain",
      holderLabel: "web-01",
    });
    expect(identity?.owner).toBe("host=web-01;pid=3");
    expect(identity?.release()).toMatchObject({
      recipe: {
        expects: [{ kind: "value", value: "host=web-01;pid=3" }],
        steps: [{ kind: "delete" }, { kind: "publish", channel: "freed:pay:7:lock", message: "1" }],
      },
    });
  });

  test("names the holder by a path in JSON, or not at all when it is none", () => {
    const entry = { ...PAYMENTS, holder: { json: "by.host" } };
    expect(identify(entry, "pay:7:lock", "string", '{"by":{"host":"db-1"}}')?.recognition.holderLabel).toBe("db-1");
    expect(identify(entry, "pay:7:lock", "string", '{"by":3}')?.recognition.holderLabel).toBeNull();
    expect(identify(entry, "pay:7:lock", "string", "db-1")?.recognition.holderLabel).toBeNull();
  });

  test("names the holder by a field of a hash, which is then what is compared", () => {
    const entry = { ...PAYMENTS, type: "hash", holder: { field: "owner" } };
    const identity = identify(entry, "pay:7:lock", "hash", ["owner", "web-01", "beat", "17"]);
    expect(identity?.recognition.holderLabel).toBe("web-01");
    expect(identity?.owner).toBe("owner web-01");
    expect(identity?.release()).toMatchObject({
      recipe: { expects: [{ kind: "element", element: "owner", value: "web-01" }], steps: [{ kind: "delete" }, {}] },
    });
    expect(identify(entry, "pay:7:lock", "hash", ["beat", "17"])?.release()).toMatchObject({ kind: "refused" });
  });

  test("takes the members of a set or sorted set that were seen, and no others", () => {
    const entry = { id: "pool", pattern: "pool:*", type: "zset" };
    expect(identify(entry, "pool:a", "zset", ["m2", "1", "m1", "2"])?.release()).toMatchObject({
      recipe: {
        steps: [
          { kind: "remove", element: "m2" },
          { kind: "remove", element: "m1" },
        ],
      },
    });
    expect(identify({ ...entry, type: "set" }, "pool:a", "set", ["m1"])?.owner).toBe("m1");
  });

  test("is refused with the operator's reason", () => {
    const entry = { ...PAYMENTS, release: { refuse: "Call the payments team." } };
    const identity = identify(entry, "pay:7:lock", "string", "x");
    expect(identity?.release()).toEqual({ kind: "refused", reason: "Call the payments team." });
    expect(identity?.isRevocable).toBe(false);
  });

  test("goes before what the console knows, for its own keys and type only", () => {
    const hex = "8f3a91c21b77d0ab8f3a91c25b77d0ab";
    expect(identify(PAYMENTS, "pay:7:lock", "string", hex)?.recognition.id).toBe("payments");
    expect(identify(PAYMENTS, "pay:7", "string", hex)?.recognition.id).toBe("redlock-hex");
    expect(identify(PAYMENTS, "pay:7:lock", "hash", ["a", "b"])).toBeNull();
  });
});

describe("REDLOCK_LAYOUTS", () => {
  const errorsOf = (text: string) => readEnvironment({ REDLOCK_LAYOUTS: text }).errors.join("\n");

  test("may be a file", () => {
    const readFile = (path: string) => (path === "/etc/layouts.json" ? JSON.stringify([PAYMENTS]) : "");
    const result = readEnvironment({ REDLOCK_LAYOUTS: "/etc/layouts.json" }, { readFile });
    expect(result.errors).toEqual([]);
    expect(result.config.layouts).toMatchObject([{ id: "payments", label: "payments", type: "string" }]);
    expect(maskedLines(result)).toContain("REDLOCK_LAYOUTS=payments for pay:*:lock");
  });

  test.each([
    ["[{", "not JSON"],
    ["/does/not/exist.json", "ENOENT"],
    ["{}", "must be a list"],
    ["[3]", "entry 1: it must be an object"],
    ['[{"id":"a","pattern":"p","owner":"x"}]', "owner is not a part of a layout"],
    ['[{"id":"A b","pattern":"p"}]', "id must be"],
    ['[{"id":"a"}]', "pattern must be"],
    ['[{"id":"a","pattern":"p","type":"stream"}]', "type must be one of string, hash, set, zset"],
    ['[{"id":"a","pattern":"p","holder":{"regex":"("}}]', "holder: Invalid regular expression"],
    ['[{"id":"a","pattern":"p","holder":{"field":"f"}}]', "a field belongs to a hash"],
    ['[{"id":"a","pattern":"p","type":"set","holder":{"json":"f"}}]', "json belongs to a string"],
    ['[{"id":"a","pattern":"p","holder":"x"}]', "holder must be"],
    ['[{"id":"a","pattern":"p","release":"maybe"}]', "release must be"],
    ['[{"id":"a","pattern":"p","publish":{"channel":"c"}}]', "publish must be"],
    ['[{"id":"a","pattern":"p"},{"id":"a","pattern":"q"}]', "the id a is used twice"],
    [JSON.stringify(Array(51).fill({ id: "a", pattern: "p" })), "the limit is 50"],
  ])("%s is refused with a sentence", (text, part) => {
    expect(errorsOf(text)).toContain(part);
    expect(errorsOf(text)).toContain("REDLOCK_LAYOUTS");
  });
});
