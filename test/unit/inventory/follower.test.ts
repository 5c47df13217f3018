import { describe, expect, test } from "vitest";
import { NodeColumn } from "@/lib/inventory/column";
import { Follower } from "@/lib/inventory/follower";
import { SightingTable } from "@/lib/inventory/table";
import { KNOWN_LAYOUTS } from "@/lib/layouts";
import { VirtualClock } from "@/lib/redlock";
import { ToldMaster } from "../../support/told-master";

function rig() {
  const clock = new VirtualClock();
  const master = new ToldMaster("a");
  const table = new SightingTable(1, clock.now());
  const listener = { keyChanged: () => undefined, wordChanged: () => undefined };
  const keeps = (resource: string) => resource.startsWith("lock:");
  const column = new NodeColumn({ master, clock, table, place: 0, listener, keeps, layouts: KNOWN_LAYOUTS });
  const stale: string[] = [];
  const onStale = (why: string) => stale.push(why);
  const follower = new Follower({ column, clock, prefixes: ["lock:"], keeps, onStale, onChange: () => undefined });
  follower.open();
  return { clock, master, table, follower, stale };
}

describe("a node that tells its changes", () => {
  test("is followed from the moment it begins to, and everything is read anew", () => {
    const { master, follower, stale } = rig();
    expect(follower.reason).toBe("connecting");
    master.feed.armed();
    expect(follower.reason).toBeNull();
    expect(stale).toEqual(["the tracking connection is new"]);
  });

  test("has only those keys read that changed and belong to the mirror", async () => {
    const { clock, master, table } = rig();
    master.feed.armed();
    master.put("lock:1", "0123456789abcdef0123456789abcdef", null);
    master.put("other", "x", null);
    master.feed.changed(["lock:1", "other"]);
    await clock.advance(20);
    expect([...table.resources()]).toEqual(["lock:1"]);
  });

  test("that is silent is not followed until it answers", async () => {
    const { clock, master, follower } = rig();
    master.feed.armed();
    master.isAnswering = false;
    const proof = follower.prove();
    await clock.advance(1100);
    expect(await proof).toBe(false);
    expect(follower.reason).toBe("the tracking connection does not answer");
  });

  test("is proved to be current only by what was asked after", async () => {
    const { clock, master, follower } = rig();
    master.feed.armed();
    await clock.advance(500);
    const askedAt = clock.now();
    expect(await follower.prove()).toBe(true);
    expect(follower.provedAt).toBe(askedAt);
  });

  test("and exchanges its databases is read anew", async () => {
    const { master, follower, stale } = rig();
    master.feed.armed();
    for (let beat = 0; beat < 4; beat += 1) await follower.beat();
    master.swapCount = 1;
    for (let beat = 0; beat < 2; beat += 1) await follower.beat();
    expect(stale).toEqual(["the tracking connection is new", "databases were exchanged"]);
  });

  test("too fast is asked at intervals, and listened to again after a minute", async () => {
    const { clock, master, follower } = rig();
    master.feed.armed();
    const keys = Array.from({ length: 5000 }, (_, index) => `other:${index}`);
    for (let round = 0; round < 60; round += 1) {
      master.feed.changed(keys);
      await clock.advance(100);
    }
    expect(follower.reason).toMatch(/^\d+ changes a second: asking at intervals costs the node less$/);
    expect(master.feeds).toHaveLength(1);
    await clock.advance(61_000);
    expect(master.feeds).toHaveLength(2);
  });
});

describe("a node that refuses to tell", () => {
  test("is asked again after a minute", async () => {
    const { clock, master, follower } = rig();
    master.feed.lost("CLIENT TRACKING is refused: ERR unknown subcommand", true);
    expect(follower.reason).toBe("CLIENT TRACKING is refused: ERR unknown subcommand. It takes Redis 6 or Valkey");
    await clock.advance(59_000);
    expect(master.feeds).toHaveLength(1);
    await clock.advance(2000);
    expect(master.feeds).toHaveLength(2);
  });

  test("only because it is loading is asked again soon", async () => {
    const { clock, master } = rig();
    master.feed.lost("SUBSCRIBE is refused: LOADING Redis is loading the dataset in memory", true);
    await clock.advance(1100);
    expect(master.feeds).toHaveLength(2);
  });

  test("may say later what it likes: only the latest feed is heard", async () => {
    const { clock, master, follower } = rig();
    const first = master.feed;
    first.lost("refused", true);
    await clock.advance(61_000);
    master.feed.armed();
    first.lost("late word", false);
    expect(follower.reason).toBeNull();
  });
});
