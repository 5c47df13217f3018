import { describe, expect, test } from "vitest";
import { lockParamsSchema, nodeParamsSchema, resourceIdOf, resourceOfId } from "@/lib/contract";
import { keyFromBytes } from "@/lib/redlock";

const NAMES = ["orders:42", "a/b", "100%", "a%2Fb", "~tilde", ".", "..", "ü", "🔒", "x y", "?#&", "\u0000", "{tag}"];

describe("a resource's id", () => {
  test.each(NAMES)("of %j leads back to it and fits into one path segment", (name) => {
    const id = resourceIdOf(name);
    expect(id).toMatch(/^[^/?#]+$/);
    expect(new URL(`http://x/locks/${id}`).pathname).toBe(`/locks/${id}`);
    expect(resourceOfId(id)).toBe(name);
  });

  test("of bytes that are no text is base64url behind a tilde", () => {
    const key = keyFromBytes(Uint8Array.from([0xff, 0x00, 0x61]));
    expect(resourceIdOf(key)).toBe("~_wBh");
    expect(resourceOfId("~_wBh")).toBe(key);
  });

  test("that is malformed names nothing", () => {
    expect(["", "%", "~", "~a", "~%%"].map(resourceOfId)).toEqual([null, null, null, null, null]);
    expect(lockParamsSchema.safeParse({ id: "%" }).success).toBe(false);
    expect(nodeParamsSchema.safeParse({ node: "%" }).success).toBe(false);
  });
});

test("a node's name may contain what addresses contain", () => {
  expect(nodeParamsSchema.parse({ node: "127.0.0.1%3A7001" })).toEqual({ node: "127.0.0.1:7001" });
});
