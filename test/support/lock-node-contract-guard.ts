import { expect, test } from "vitest";
import { LONG_MS, MINE, releaseOf, request, type World } from "./lock-node-harness";

/** What a node does that has forgotten its votes, where a restart guard is in use. */
export function guardContract({ harness, node }: World): void {
  test("under a guard a node that forgot its votes has none, says for how long, and still releases", async ({
    skip,
  }) => {
    const { forgetVotes } = harness();
    if (forgetVotes === null) return skip("no guard is in use");
    await node().acquire(request(["r"]));
    await forgetVotes();
    await harness().set("kept", MINE, LONG_MS);
    for (const vote of [
      await node().acquire(request(["r"])),
      await node().extend(request(["kept"])),
      await node().heal(request(["r"])),
    ]) {
      expect(vote).toEqual({ kind: "quarantined", forMs: expect.any(Number), reason: expect.any(String) });
      expect("forMs" in vote && vote.forMs).toBeGreaterThan(LONG_MS - 10_000);
    }
    expect(await harness().get("r")).toBeNull();
    expect(await node().release(releaseOf(["kept"]))).toEqual({ kind: "released" });
    expect(await harness().get("kept")).toBeNull();
  });
}
