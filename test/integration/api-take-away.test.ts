import { describe, expect, test } from "vitest";
import { extendAnswerSchema, forceExpireAnswerSchema, revokeAnswerSchema } from "@/lib/contract";
import { fingerprintOf } from "@/lib/redis";
import { callApi, dataOf, errorOf } from "../support/api";
import { apiConsole, FINGERPRINT, TOKEN } from "../support/api-console";

const { acquire, act, detail, holders, server, setByHand } = apiConsole(5);

describe("force-expire", () => {
  const body = { fingerprint: FINGERPRINT, reason: "stuck job" };

  test("deletes a lock set by hand on every node, once", async () => {
    await setByHand("stuck");
    const plan = await dataOf(act("stuck", "force-expire", { ...body, dryRun: true }), forceExpireAnswerSchema);
    expect(plan).toMatchObject({ outcome: "expired", dryRun: true, freeFromMs: 0 });
    expect(plan.oldHolderMayActForMs).toBeGreaterThan(50_000);
    expect(await holders("stuck")).toEqual(Array(5).fill(TOKEN));

    const answer = await dataOf(act("stuck", "force-expire", body), forceExpireAnswerSchema);
    expect(answer.outcome).toBe("expired");
    expect(answer.nodes.map(({ result }) => result)).toEqual(Array(5).fill("deleted"));
    expect(await holders("stuck")).toEqual(Array(5).fill(null));

    expect(await errorOf(act("stuck", "force-expire", body))).toMatchObject({ status: 409, code: "lock_changed" });
  });

  test("leaves a lock alone that changed hands", async () => {
    await setByHand("stuck", "abcde", "f".repeat(40));
    expect(await errorOf(act("stuck", "force-expire", body))).toMatchObject({ status: 409, code: "lock_changed" });
    expect(await holders("stuck")).toEqual(Array(5).fill("f".repeat(40)));
  });

  test("deletes only the token that was seen, also where another shares the nodes", async () => {
    await setByHand("stuck", "abc");
    await setByHand("stuck", "d", "f".repeat(40));
    const answer = await dataOf(act("stuck", "force-expire", body), forceExpireAnswerSchema);
    expect(answer.nodes.map(({ result }) => result)).toEqual(["deleted", "deleted", "deleted", "changed", "gone"]);
    expect(await holders("stuck")).toEqual([null, null, null, "f".repeat(40), null]);
  });

  test("deletes a key that would never have expired, on the chosen nodes only", async () => {
    await Promise.all([..."abcde"].map((name) => server(name).client.set("stuck", TOKEN)));
    const some = await dataOf(act("stuck", "force-expire", { ...body, nodes: ["a", "b"] }), forceExpireAnswerSchema);
    expect(some).toMatchObject({ outcome: "partial", oldHolderMayActForMs: null, freeFromMs: null });
    expect(await holders("stuck")).toEqual([null, null, TOKEN, TOKEN, TOKEN]);
    expect(await errorOf(act("stuck", "force-expire", { ...body, nodes: ["z"] }))).toMatchObject({ status: 404 });
  });

  test("refuses where deleting does harm", async () => {
    const value = "123e4567-e89b-42d3-a456-426614174000:7";
    await setByHand("bull:mail:17:lock", "abcde", value);
    const refused = { fingerprint: fingerprintOf(value), reason: "stuck job" };
    expect(await errorOf(act("bull:mail:17:lock", "force-expire", refused))).toMatchObject({ code: "layout_refused" });
  });
});

test("revoke keeps the remaining time and locks the holder out", async () => {
  const answer = await acquire("orders:7");
  const { token = "", fingerprint = "" } = answer.lock ?? {};
  const before = await server("c").client.pttl("orders:7");
  const body = { fingerprint, reason: "operator takes over" };
  const revoked = await dataOf(act("orders:7", "revoke", body), revokeAnswerSchema);
  expect(revoked.outcome).toBe("revoked");
  expect(await server("c").client.get("orders:7")).toMatch(/^revoked:[0-9a-f]{40}$/);
  const after = await server("c").client.pttl("orders:7");
  expect(after).toBeLessThanOrEqual(before);
  expect(after).toBeGreaterThan(before - 5000);
  expect(await detail("orders:7")).toMatchObject({ verdict: "held", revoked: true });
  const extended = await dataOf(act("orders:7", "extend", { token, ttlMs: 30_000 }), extendAnswerSchema);
  expect(extended.outcome).toBe("lost");
});

test("bulk force-expire answers item by item", async () => {
  await setByHand("one");
  const items = [
    { resource: "one", fingerprint: FINGERPRINT },
    { resource: "two", fingerprint: FINGERPRINT },
  ];
  const response = await callApi("locks/bulk/force-expire", { method: "POST", body: { items, reason: "clean up" } });
  const { data } = await response.json();
  expect(data.items).toMatchObject([
    { resource: "one", answer: { outcome: "expired" }, error: null },
    { resource: "two", answer: null, error: { code: "lock_changed" } },
  ]);
});
