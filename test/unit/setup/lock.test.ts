import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { withLock } from "@/lib/setup/lock.mjs";

let folder: string;
const root = process.cwd();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "redlock-console-lock-"));
  vi.spyOn(console, "log").mockImplementation(() => undefined);
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

/** Leaves a lock as a process that ended without releasing it leaves one. */
async function abandonLock(owner: string) {
  let name = "";
  await withLock(
    root,
    async () => {
      name = readdirSync(folder)[0] ?? "";
      renameSync(join(folder, name), join(folder, "kept"));
    },
    { folder },
  );
  rmSync(join(folder, "kept"));
  writeFileSync(join(folder, name), owner);
}

describe("one preparation of a folder at a time", () => {
  it("makes the second wait for the first", async () => {
    const order: string[] = [];
    let second: Promise<unknown> = Promise.resolve();
    const first = withLock(
      root,
      async () => {
        second = withLock(root, async () => order.push("second"), { folder });
        // The second has met our lock as soon as it says so.
        await vi.waitFor(() => expect(console.log).toHaveBeenCalledWith(expect.stringContaining("waiting for it")));
        order.push("first");
      },
      { folder },
    );
    await first;
    await second;
    expect(order).toEqual(["first", "second"]);
  });

  it("leaves no file behind, even when the work fails", async () => {
    await expect(withLock(root, () => Promise.reject(new Error("planted")), { folder })).rejects.toThrow("planted");
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ["a process that has ended", () => String(spawnSync(process.execPath, ["--version"]).pid)],
    ["a process whose number was given to another one since", () => `${process.pid} 1`],
    ["nobody", () => ""],
  ])("takes over from %s", async (_, owner) => {
    await abandonLock(owner());
    await expect(withLock(root, async () => "done", { folder })).resolves.toBe("done");
  });

  it("gives up in a sentence when the other one never ends", async () => {
    const never = withLock(root, () => withLock(root, async () => undefined, { folder, waitMs: 0 }), { folder });
    await expect(never).rejects.toThrow(/has been preparing this folder for too long/);
  });

  it("says so when there is no place for the lock", async () => {
    const missing = join(folder, "missing");
    await expect(withLock(root, async () => undefined, { folder: missing })).rejects.toThrow(
      /Cannot write to .*ENOENT/,
    );
  });
});
