import { afterEach, expect, test } from "vitest";
import { createMasters, Guard, membersOf } from "@/lib/redis";
import { handBack, turn, turnToken } from "../support/lock-node-turns";
import { MasterWorld, OTHER } from "../support/test-master";
import { until } from "../support/until";

// A place in the queue is no vote, so it does without the dear part of the restart guard; a turn that may win does not.

const MARKER = "redlock:{guard}:node";

const world = new MasterWorld();
afterEach(() => world.clear());

async function guarded() {
  const server = await world.server();
  const guard = new Guard({ mode: "full", maxTtlMs: 60_000, members: membersOf([server.url]) });
  const [node] = createMasters([server.url], { nodeTimeoutMs: 5000, guard, probeEveryMs: 0 });
  if (node === undefined) throw new Error("no node");
  world.adopt(node);
  await until(async () => (await node.probe()).state === "up", "the node to be up");
  await node.bootstrap();
  const asked = async () => Number(/cmdstat_info:calls=(\d+)/.exec(await server.client.info("commandstats"))?.[1] ?? 0);
  const during = async (act: () => Promise<unknown>) => {
    const before = await asked();
    await act();
    // Of the two looks at the figures the first is in the second.
    return (await asked()) - before - 1;
  };
  return { server, node, during };
}

test("a waiter that finds the key taken asks for no INFO, and one that may win does", async () => {
  const { server, node, during } = await guarded();
  await node.acquire(turn(1));
  expect(
    await during(async () => expect(await node.acquire(turn(2))).toMatchObject({ kind: "refused", ahead: 0 })),
  ).toBe(0);
  await node.release(handBack(1));
  expect(await server.client.get("r")).toBe(turnToken(2));
  expect(await during(async () => expect(await node.acquire(turn(2, 2))).toEqual({ kind: "granted" }))).toBe(1);
});

test("a marker of another server bars a waiter that finds the key taken, too", async () => {
  const { server, node } = await guarded();
  await server.client.set("r", OTHER, "PX", 60_000);
  const marker = await server.client.get(MARKER);
  await server.client.set(MARKER, `${"0".repeat(40)}${marker?.slice(40)}`);
  expect(await node.acquire(turn(1))).toMatchObject({ kind: "quarantined" });
  expect(await server.client.get(MARKER)).not.toContain("0".repeat(40));
});
