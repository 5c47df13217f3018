import { beforeEach, describe, expect, test } from "vitest";
import { IncidentRig } from "../../support/incident-rig";

let rig: IncidentRig;
beforeEach(() => {
  rig = new IncidentRig();
});

/** All five nodes hold A until 40 s on the test's clock; it is 10 s now. */
const HELD = "A@40000 A@40000 A@40000 A@40000 A@40000";

/** The second token is seen, and seen again at another look. */
function seeTwice(text: string): void {
  rig.see(text);
  rig.pass(100);
  rig.see(text);
}

describe("no incident", () => {
  const after = "B@50000 B@50000 B@50000 B@50000 B@50000";

  test("a release and the next holder", () => {
    rig.see(HELD);
    rig.pass(2000);
    seeTwice(after);
    rig.pass(6000);
    expect(rig.raised).toEqual([]);
    expect(rig.watch.isFollowing("orders:42")).toBe(false);
  });

  test("a release that did not reach one node", () => {
    rig.see(HELD);
    rig.pass(2000);
    seeTwice("A@40000 B@50000 B@50000 B@50000 B@50000");
    rig.pass(6000);
    expect(rig.raised).toEqual([]);
  });

  test("a lock without expiry that is read again, and then released", () => {
    rig.see("A A A A A");
    rig.pass(100);
    rig.see("A A A A A");
    expect(rig.watch.isFollowing("orders:42")).toBe(false);
    rig.pass(2000);
    seeTwice("A A B@50000 B@50000 B@50000");
    rig.pass(6000);
    expect(rig.raised).toEqual([]);
  });

  test("a release on the day one node restarts", () => {
    rig.see(HELD);
    rig.pass(2000);
    rig.say("c", () => ({ runId: "c2" }));
    seeTwice(after);
    rig.pass(6000);
    expect(rig.raised).toEqual([]);
  });

  test("the next holder after the promised end, whatever happened to the nodes", () => {
    rig.see("A@12000 A@12000 A@12000 A@12000 A@12000");
    rig.pass(500);
    rig.say("abcde", () => ({ flushes: 1 }));
    rig.see("- - - - -");
    rig.pass(2000);
    seeTwice(after);
    rig.pass(6000);
    expect(rig.raised).toEqual([]);
  });

  test("what a revoke put there is no second holder", () => {
    rig.see(HELD);
    rig.pass(2000);
    rig.force("A", "abcde", { action: "lock.revoked", outcome: "revoked" });
    seeTwice("R@40000 R@40000 R@40000 R@40000 R@40000");
    rig.pass(6000);
    expect(rig.raised).toEqual([]);
  });

  test("a second token that only one look showed", () => {
    rig.see(HELD);
    rig.say("cde", () => ({ flushes: 1 }));
    rig.see("A@40000 A@40000 B@50000 B@50000 B@50000");
    rig.pass(100);
    rig.see("A@40000 A@40000 - - -");
    rig.pass(6000);
    expect(rig.raised).toEqual([]);
  });

  test("a lock that heals after a node lost it", () => {
    rig.see(HELD);
    rig.say("e", () => ({ runId: "e2" }));
    rig.see("A@40000 A@40000 A@40000 A@40000 -");
    expect(rig.watch.isFollowing("orders:42")).toBe(true);
    rig.see(HELD);
    expect(rig.watch.isFollowing("orders:42")).toBe(false);
  });

  test("silent nodes are not taken for a loss", () => {
    rig.see(HELD);
    rig.see("A@40000 A@40000 ?A@40000 ?A@40000 ?A@40000");
    expect(rig.watch.isFollowing("orders:42")).toBe(false);
  });

  test("our own clock put forward is not the nodes'", () => {
    rig.see(HELD);
    rig.pass(2000);
    rig.say("abcde", () => ({ clockOffsetMs: -30_000 }));
    rig.watch.tick(rig.now + 500, 1_800_000_030_000 + rig.now);
    rig.now += 500;
    // And back again: to the nodes' offsets that is a step forward.
    rig.say("abcde", () => ({ clockOffsetMs: 0 }));
    rig.pass(2000);
    seeTwice(after);
    rig.pass(6000);
    expect(rig.raised).toEqual([]);
  });

  test("a lock that was acquired after a flush that was only noticed later", () => {
    rig.see(HELD);
    rig.pass(500);
    rig.say("abcde", () => ({ flushes: 1 }));
    seeTwice(after);
    rig.pass(6000);
    expect(rig.raised).toEqual([]);
  });

  test("a node that was flushed long before the lock was released", () => {
    rig.see("A@90000 A@90000 A@90000 A@90000 A@90000");
    rig.say("abcde", () => ({ flushes: 1 }));
    rig.pass(20_000);
    seeTwice("B@95000 B@95000 B@95000 B@95000 B@95000");
    rig.pass(6000);
    expect(rig.raised).toEqual([]);
  });
});
