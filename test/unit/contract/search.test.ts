import { describe, expect, test } from "vitest";
import { searchTest } from "@/lib/contract";
import { lockView } from "../inventory/lock-view";

const lock = lockView("orders:42", {
  verdict: "at_risk",
  holder: { fingerprint: "8f3a91c2", label: "WEB-01, pid 4711" },
  layout: { id: "redlock-hex", label: "node-redlock or compatible", confidence: "probable" },
  readAt: 10_000_000,
  firstSeenAt: 10_000_000 - 2 * 3_600_000,
  remaining: [4000, 4500, null, null, null],
});

describe("a search", () => {
  test.each([
    "",
    "orders",
    "ORDERS:4",
    "orders:42",
    '"ders:4"',
    "verdict:at_risk",
    "verdict:at-risk,split",
    "holder:8f3a",
    "holder:web-01",
    "node:a",
    "client:redlock-hex",
    "client:node-redlock",
    "ttl<5s",
    "ttl>4400ms",
    "age>1h",
    "age<3h",
    "orders verdict:at_risk node:b ttl<1m",
  ])("%s finds the lock", (text) => {
    expect(searchTest(text)(lock)).toBe(true);
  });

  test.each([
    "stock",
    "verdict:held",
    "holder:1c77",
    "node:c",
    "client:redisson",
    "ttl<4s",
    "ttl>5s",
    "age<1h",
    "no-expiry",
    "revoked",
    "orders verdict:held",
    "ttl<soon",
  ])("%s does not", (text) => {
    expect(searchTest(text)(lock)).toBe(false);
  });

  test("no-expiry finds a lock that never ends, whose time is longer than any", () => {
    const endless = lockView("x", { noExpiry: true, remaining: [Number.POSITIVE_INFINITY] });
    expect(searchTest("no-expiry")(endless)).toBe(true);
    expect(searchTest("ttl>9d")(endless)).toBe(true);
  });
});
