import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { MemoryAuditLog } from "@/lib/audit";
import type { AuditEntry } from "@/lib/contract";
import { Inventory } from "@/lib/inventory";
import { Lab } from "@/lib/lab";
import { KNOWN_LAYOUTS } from "@/lib/layouts";
import { createOperations, Holdings, type Operations, type OperationsContext } from "@/lib/operations";
import { fingerprintOf, systemClock, systemRandom } from "@/lib/redis";
import { RedlockEngine } from "@/lib/redlock";
import { type FakeMaster, fakeMasters } from "../../support/fake-master";

const TOKEN = "8f3a91c21b77d0ab8f3a91c25b77d0ab";
const BODY = { fingerprint: fingerprintOf(TOKEN), reason: "stuck job", dryRun: false };
const TIMEOUT = { kind: "timeout" } as const;

let masters: FakeMaster[];
let inventory: Inventory;
let audit: MemoryAuditLog;
let actions: AuditEntry[];
let context: OperationsContext;
let operations: Operations;

beforeEach(async () => {
  masters = fakeMasters(5);
  audit = new MemoryAuditLog();
  actions = [];
  inventory = new Inventory({
    masters,
    clock: systemClock,
    wallClock: Date.now,
    patterns: ["*"],
    listsEverything: true,
    ownedByConsole: () => null,
    maxTtlMs: null,
    incidents: null,
  });
  context = {
    masters,
    engine: new RedlockEngine(masters, { clock: systemClock, random: systemRandom }),
    inventory,
    layouts: KNOWN_LAYOUTS,
    audit,
    holdings: new Holdings(),
    isReadOnly: false,
    isGuarded: false,
    maxTtlMs: 86_400_000,
    faults: null,
    demonstration: null,
    lab: new Lab({ folder: "", clientProgram: "", isReadOnly: true, isAllowed: true, newId: () => "id" }),
    wallClock: Date.now,
    newId: () => "id",
    newToken: () => "0a".repeat(20),
    onAction: (entry) => actions.push(entry),
    onAuditFailure: (error) => {
      throw error;
    },
  };
  operations = createOperations(context);
  for (const master of masters) master.put("stuck", TOKEN, 10_000);
  await inventory.start();
});
afterEach(() => inventory.stop());

const silence = (...names: string[]) => {
  for (const master of masters) if (names.includes(master.id)) master.fault = TIMEOUT;
};
const valueOn = (index: number) => masters[index]?.keys.get("stuck")?.value;

describe("force-expire", () => {
  test("with two silent nodes is partial, and says when their keys die by themselves", async () => {
    silence("d", "e");
    const answer = await operations.forceExpire("stuck", BODY);
    expect(answer).toMatchObject({ outcome: "partial", freeFromMs: 0 });
    expect(answer.nodes.map(({ result }) => result)).toEqual([
      "deleted",
      "deleted",
      "deleted",
      "unreachable",
      "unreachable",
    ]);
    expect(answer.nodes[4]?.remainingMs).toBeGreaterThan(9000);
    expect(answer.oldHolderMayActForMs).toBeGreaterThan(9000);
  });

  test("with three silent nodes cannot say when the lock is free", async () => {
    silence("c", "d", "e");
    const answer = await operations.forceExpire("stuck", BODY);
    expect(answer).toMatchObject({ outcome: "partial", freeFromMs: null });
  });

  test("with every answer missing says that it cannot know, and deletes nothing", async () => {
    silence("a", "b", "c", "d", "e");
    await expect(operations.forceExpire("stuck", BODY)).rejects.toMatchObject({ code: "quorum_unreachable" });
    expect(valueOn(0)).toBe(TOKEN);
  });

  test("tells how long the holder may still act: the q-th longest of what the nodes hold", async () => {
    [10_000, 8000, 6000, 4000, 2000].forEach((remainingMs, index) => {
      masters[index]?.put("stuck", TOKEN, remainingMs);
    });
    const plan = await operations.forceExpire("stuck", { ...BODY, dryRun: true });
    expect(plan.oldHolderMayActForMs).toBeGreaterThan(4000);
    expect(plan.oldHolderMayActForMs).toBeLessThanOrEqual(6000);
    for (const master of masters.slice(2)) master.keys.delete("stuck");
    expect((await operations.forceExpire("stuck", { ...BODY, dryRun: true })).oldHolderMayActForMs).toBe(0);
  });

  test("writes nothing into the record for a dry run", async () => {
    await operations.forceExpire("stuck", { ...BODY, dryRun: true });
    expect(await audit.list({ limit: 9 })).toEqual([]);
  });
});

describe("revoke", () => {
  test("is done when so many nodes deny the old token that it cannot be extended", async () => {
    silence("d", "e");
    expect(await operations.revoke("stuck", BODY)).toMatchObject({ outcome: "revoked" });
    expect(valueOn(0)).toBe(`revoked:${"0a".repeat(20)}`);
  });

  test("is partial when the silent nodes could still extend it", async () => {
    silence("c", "d", "e");
    expect(await operations.revoke("stuck", BODY)).toMatchObject({ outcome: "partial" });
  });
});

describe("the record", () => {
  test("has intent and outcome of a refused action too", async () => {
    const wrong = { ...BODY, fingerprint: "00000000" };
    await expect(operations.forceExpire("stuck", wrong)).rejects.toMatchObject({ code: "lock_changed" });
    const [outcome, intent] = await audit.list({ limit: 9 });
    expect(intent).toMatchObject({ phase: "intent", reason: "stuck job", details: { fingerprint: "00000000" } });
    expect(outcome).toMatchObject({ phase: "outcome", outcome: "refused: lock_changed" });
    expect(actions).toHaveLength(1);
  });

  test("that cannot be written keeps everything as it is", async () => {
    audit.append = () => Promise.reject(new Error("disk full"));
    await expect(operations.forceExpire("stuck", BODY)).rejects.toMatchObject({ code: "internal" });
    await expect(operations.revoke("stuck", BODY)).rejects.toMatchObject({ code: "internal" });
    expect(masters.map((_, index) => valueOn(index))).toEqual(Array(5).fill(TOKEN));
  });

  test("that fails afterwards does not hide what was done", async () => {
    const failures: unknown[] = [];
    const append = audit.append.bind(audit);
    audit.append = (entry) => (entry.phase === "intent" ? append(entry) : Promise.reject(new Error("disk full")));
    operations = createOperations({ ...context, onAuditFailure: (error) => failures.push(error) });
    expect(await operations.forceExpire("stuck", BODY)).toMatchObject({ outcome: "expired" });
    expect(failures).toHaveLength(1);
  });
});

test("a read-only console does nothing, not even a dry run", async () => {
  operations = createOperations({ ...context, isReadOnly: true });
  await expect(operations.forceExpire("stuck", { ...BODY, dryRun: true })).rejects.toMatchObject({ code: "read_only" });
  await expect(operations.revoke("stuck", BODY)).rejects.toMatchObject({ code: "read_only" });
  await expect(operations.setFault("a", { fault: "stop" })).rejects.toMatchObject({ code: "not_embedded" });
});
