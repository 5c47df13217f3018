import { appendFile, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type AuditLog, FileAuditLog, MemoryAuditLog } from "@/lib/audit";
import type { AuditEntry } from "@/lib/contract";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "redlock-audit-"));
});
afterEach(() => rm(folder, { recursive: true }));

const path = () => join(folder, "deep", "audit.jsonl");

function entry(id: string, more: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id,
    correlationId: "c",
    at: 1,
    phase: "intent",
    actor: "operator",
    action: "lock.acquired",
    target: "orders:42",
    reason: null,
    outcome: null,
    details: { ttlMs: 5 },
    ...more,
  };
}

const KINDS: readonly (readonly [string, () => Promise<AuditLog>])[] = [
  ["in memory", async () => new MemoryAuditLog()],
  ["in a file", () => FileAuditLog.open(path())],
];

describe.each(KINDS)("a record %s", (_, open) => {
  test("lists the newest first, and no more than asked", async () => {
    const log = await open();
    await Promise.all(["1", "2", "3"].map((id) => log.append(entry(id))));
    expect((await log.list({ limit: 2 })).map(({ id }) => id)).toEqual(["3", "2"]);
    await log.close();
  });

  test("filters by resource and by action or its noun", async () => {
    const log = await open();
    await log.append(entry("1"));
    await log.append(entry("2", { target: "other", action: "node.faulted" }));
    const ids = async (filter: object) => (await log.list({ limit: 9, ...filter })).map(({ id }) => id);
    expect(await ids({ resource: "other" })).toEqual(["2"]);
    expect(await ids({ action: "lock.acquired" })).toEqual(["1"]);
    expect(await ids({ action: "lock" })).toEqual(["1"]);
    expect(await ids({ action: "loc" })).toEqual([]);
    await log.close();
  });

  test("keeps a bounded number in memory", async () => {
    const log = new MemoryAuditLog();
    for (let id = 0; id < 2100; id += 1) await log.append(entry(String(id)));
    expect(await log.list({ limit: 5000 })).toHaveLength(2000);
  });
});

describe("the file", () => {
  test("still has every entry after it was closed, and is its owner's only", async () => {
    const first = await FileAuditLog.open(path());
    await first.append(entry("1"));
    await first.close();
    const second = await FileAuditLog.open(path());
    await second.append(entry("2"));
    expect((await second.list({ limit: 9 })).map(({ id }) => id)).toEqual(["2", "1"]);
    await second.close();
    expect((await stat(path())).mode & 0o077).toBe(0);
  });

  test("survives a line that a crash tore: it spoils only itself", async () => {
    const first = await FileAuditLog.open(path());
    await first.append(entry("1"));
    await first.close();
    await appendFile(path(), '{"id":"torn","corr');
    const second = await FileAuditLog.open(path());
    await second.append(entry("2"));
    await second.close();
    const third = await FileAuditLog.open(path());
    expect((await third.list({ limit: 9 })).map(({ id }) => id)).toEqual(["2", "1"]);
    await third.close();
    expect((await readFile(path(), "utf8")).split("\n")[1]).toBe('{"id":"torn","corr');
  });

  test("tells its caller when an entry could not be written", async () => {
    const log = await FileAuditLog.open(path());
    await log.close();
    await expect(log.append(entry("1"))).rejects.toThrow();
  });
});
