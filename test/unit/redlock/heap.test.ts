import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { asToken, type Clock, type LockNode, monotonicMs, RedlockEngine, SeededRandom } from "@/lib/redlock";
import { ScriptedNode } from "./scripted-node";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const ATTEMPTS = 10_000;
/** Ten thousand attempts that kept but one ballot each would need more. */
const GROWTH_BYTES_MAX = 1_000_000;

/** Time that jumps to the next timer as soon as there is one, so that ten thousand retries take no time. */
class HastyClock implements Clock {
  #now = 0;

  now() {
    return monotonicMs(this.#now);
  }

  schedule(delayMs: number, callback: () => void): () => void {
    const timer = setImmediate(() => {
      this.#now += delayMs;
      callback();
    });
    return () => clearImmediate(timer);
  }
}

/** A scripted node that forgets what it was asked. */
function refusing(name: string): LockNode {
  const node = new ScriptedNode(name, "refuse");
  return {
    id: node.id,
    acquire: () => {
      node.acquired.length = 0;
      return node.acquire({ token: asToken("x") });
    },
    extend: () => node.extend(),
    heal: () => node.heal(),
    release: () => Promise.resolve({ kind: "gone" }),
    raiseFence: () => node.raiseFence(),
    readFence: () => node.readFence(),
    restoreFence: () => node.restoreFence(),
  };
}

function makeEngine(): RedlockEngine {
  const nodes = ["a", "b", "c", "d", "e"].map(refusing);
  return new RedlockEngine(nodes, { clock: new HastyClock(), random: new SeededRandom(1) });
}

async function growthOf(work: (count: number) => Promise<void>): Promise<number> {
  await work(ATTEMPTS / 10);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  await work(ATTEMPTS);
  collectGarbage();
  return process.memoryUsage().heapUsed - before;
}

test("ten thousand contended attempts of one acquire leave the heap flat", async () => {
  const engine = makeEngine();
  const growth = await growthOf(async (count) => {
    const outcome = await engine.tryAcquire(["r"], 1000, { retryCount: count - 1 });
    expect(outcome.attempts).toBe(count);
  });
  expect(growth).toBeLessThan(GROWTH_BYTES_MAX);
});

test("ten thousand acquires with one long-lived signal leave the heap flat", async () => {
  const engine = makeEngine();
  const { signal } = new AbortController();
  const growth = await growthOf(async (count) => {
    for (let done = 0; done < count; done += 1) await engine.tryAcquire([`r${done}`], 1000, { signal });
  });
  expect(growth).toBeLessThan(GROWTH_BYTES_MAX);
});
