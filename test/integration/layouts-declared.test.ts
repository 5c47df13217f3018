import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { forceExpireAnswerSchema } from "@/lib/contract";
import { dataOf, errorOf } from "../support/api";
import { apiConsole } from "../support/api-console";
import { until } from "../support/until";

// Layouts of the operator, through the console's settings. The patterns name none of their keys.

process.env.REDLOCK_KEY_PATTERNS = "orders:*";
process.env.REDLOCK_LAYOUTS = JSON.stringify([
  {
    id: "payments",
    label: "Payment locks",
    pattern: "pay:*:lock",
    type: "hash",
    holder: { field: "owner" },
    publish: { channel: "freed:{key}", message: "1" },
  },
  { id: "ledger", pattern: "ledger:*", release: { refuse: "Call the ledger team first." } },
]);
const { act, detail, list, server } = apiConsole(3);
const everywhere = (write: (client: Redis) => Promise<unknown>) =>
  Promise.all([..."abc"].map((name) => write(server(name).client)));

test("a lock of a declared layout is listed with its holder, and forced as declared", async () => {
  await everywhere((client) => client.hset("pay:7:lock", "owner", "web-01", "beat", "17"));
  await server("b").client.hset("pay:7:lock", "beat", "18");
  const heard: string[] = [];
  const waiter = new Redis(server("a").url);
  try {
    waiter.on("message", (channel: string, message: string) => heard.push(`${channel} ${message}`));
    await waiter.subscribe("freed:pay:7:lock");
    await until(async () => (await list()).locks.length > 0, "the lock to be listed");
    const lock = await detail("pay:7:lock");
    expect(lock).toMatchObject({
      verdict: "held",
      votes: 3,
      layout: { id: "payments", label: "Payment locks", confidence: "certain" },
      holder: { label: "web-01" },
    });
    const body = { fingerprint: lock.holder?.fingerprint, reason: "stuck job" };
    expect(await dataOf(act("pay:7:lock", "force-expire", body), forceExpireAnswerSchema)).toMatchObject({
      outcome: "expired",
    });
    await until(() => heard.length > 0, "the message to the waiters");
    expect(heard).toEqual(["freed:pay:7:lock 1"]);
  } finally {
    waiter.disconnect();
  }
});

test("the operator's own reason refuses a release", async () => {
  await everywhere((client) => client.set("ledger:1", "x"));
  const { holder } = await detail("ledger:1");
  const error = await errorOf(act("ledger:1", "force-expire", { fingerprint: holder?.fingerprint, reason: "stuck" }));
  expect(error).toMatchObject({ status: 409, code: "layout_refused", message: "Call the ledger team first." });
});
