import type { Redis } from "ioredis";
import { expect, test } from "vitest";
import { type DiscoveryAnswer, discoverySchema } from "@/lib/contract";
import { callApi, dataOf, errorOf } from "../support/api";
import { apiConsole, TOKEN } from "../support/api-console";
import { until } from "../support/until";

// Real servers with what real servers have: locks of several clients among caches, counters and queues.

process.env.REDLOCK_KEY_PATTERNS = "orders:*";
const { server, setByHand } = apiConsole(3);
const SECRET = "what only its owner may know";
const client = (name: string): Redis => server(name).client;
const sample = () => dataOf(callApi("discovery"), discoverySchema);
const everywhere = (write: (client: Redis) => Promise<unknown>) =>
  Promise.all([..."abc"].map((name) => write(client(name))));
const groupOf = ({ groups }: DiscoveryAnswer, pattern: string) => groups.find((group) => group.pattern === pattern);

async function fill(): Promise<void> {
  for (const n of [1, 2, 3]) await setByHand(`orders:${n}`);
  await setByHand("invoices:7", "ab");
  await everywhere((node) => node.hset("stock:9", "6f0829ed-bfd3-4e6f-bba3-6f3d66cd176c:42", "1"));
  await everywhere((node) => node.pexpire("stock:9", 60_000));
  await client("b").set("nightly-lock:7", SECRET, "PX", 60_000);
  for (const kind of ["session", "page", "price", "cart"]) {
    for (const n of Array(8).keys()) await client("a").set(`${kind}:${n}`, `{"text":"${SECRET}"}`, "PX", 60_000);
  }
  await client("c").lpush("mails", SECRET);
}

test("tells the locks of several clients from caches, with the line to set, and shows no value", async () => {
  await fill();
  const answer = await sample();
  expect(groupOf(answer, "orders:*")).toEqual({
    pattern: "orders:*",
    type: "string",
    keys: 3,
    expiring: 3,
    covered: 3,
    nodes: ["a", "b", "c"],
    looksLikeLock: "probable",
    label: "node-redlock or compatible",
    why: ["3 of 3 look like node-redlock or compatible (probable)."],
    examples: expect.arrayContaining(["orders:1", "orders:2", "orders:3"]),
  });
  expect(groupOf(answer, "invoices:*")).toMatchObject({ looksLikeLock: "probable", nodes: ["a", "b"], covered: 0 });
  expect(groupOf(answer, "stock:*")).toMatchObject({ looksLikeLock: "certain", type: "hash" });
  expect(groupOf(answer, "nightly-lock:*")).toMatchObject({ looksLikeLock: "possible" });
  for (const pattern of ["session:*", "page:*", "price:*", "cart:*"]) {
    expect(groupOf(answer, pattern)).toMatchObject({ looksLikeLock: "no", expiring: 8, keys: 8, nodes: ["a"] });
  }
  expect(groupOf(answer, "mails")).toMatchObject({ looksLikeLock: "no", type: "list" });
  expect(answer.patterns).toMatch(/^REDLOCK_KEY_PATTERNS="orders:\* [^"]+"$/);
  expect(new Set(answer.patterns?.split('"')[1]?.split(" "))).toEqual(
    new Set(["orders:*", "stock:*", "invoices:*", "nightly-lock:*"]),
  );
  expect(answer.current).toEqual(["orders:*"]);
  expect(answer.nodes.map(({ node, complete, reason }) => [node, complete, reason])).toEqual([
    ["a", true, null],
    ["b", true, null],
    ["c", true, null],
  ]);
  const text = JSON.stringify(answer);
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain(TOKEN);
});

test("a stopped node and a hung one delay only themselves, and are named with the reason", async () => {
  await fill();
  await server("b").kill();
  server("c").pause();
  try {
    const answer = await sample();
    expect(answer.nodes).toMatchObject([
      { node: "a", complete: true, reason: null },
      { node: "b", sampled: 0, of: null, complete: false, reason: expect.stringMatching(/unreachable|no answer/) },
      { node: "c", sampled: 0, of: null, complete: false, reason: expect.stringMatching(/unreachable|no answer/) },
    ]);
    expect(groupOf(answer, "orders:*")).toMatchObject({ looksLikeLock: "probable", nodes: ["a"] });
  } finally {
    server("c").resume();
    await server("b").restart();
  }
});

test("looks at a part of many keys, and asks the other nodes where only agreement tells a lock", async () => {
  const write = "for n = 1, 4500 do redis.call('SET', 'work:' .. n, 'me-' .. n, 'PX', 600000) end";
  await everywhere((node) => node.eval(write, 0));
  await setByHand("orders:1");
  const isRead = async () => (await sample()).nodes.every(({ reason }) => reason === null);
  await until(isRead, "every node to be read, also the one that was started again");
  const answer = await sample();
  for (const node of answer.nodes) {
    expect(node).toMatchObject({ complete: false, reason: null });
    expect(node.sampled).toBeGreaterThanOrEqual(2000);
    expect(node.sampled).toBeLessThan(4500);
  }
  expect(groupOf(answer, "work:*")).toMatchObject({
    looksLikeLock: "probable",
    label: "a Redlock client of unknown make",
    nodes: ["a", "b", "c"],
  });
  // One key among thousands: a sample meets it or not, but a node that is asked for it has it.
  expect([undefined, 3]).toContain(groupOf(answer, "orders:*")?.nodes.length);
});

test("has nothing to say of empty nodes, and changes nothing", async () => {
  expect(await sample()).toMatchObject({ groups: [], moreGroups: 0, patterns: null });
  expect(await Promise.all([..."abc"].map((name) => client(name).keys("*")))).toEqual([[], [], []]);
  expect(await errorOf(callApi("discovery", { method: "POST" }))).toMatchObject({ code: "method_not_allowed" });
});
