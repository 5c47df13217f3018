import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "@playwright/test";
import { redisCli, startConsole, until } from "../support/console";

/** Processes whose command line names one of these ports: the redis-servers of one console. */
function serversOn(addresses: readonly string[]): string[] {
  const ports = addresses.map((address) => address.slice(address.lastIndexOf(":") + 1));
  const lines = execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" }).split("\n");
  return lines.filter((line) => /redis-server|valkey-server/.test(line) && ports.some((port) => line.includes(port)));
}

test("SIGTERM ends the console and its five nodes at once, though an event stream is open", async () => {
  const running = await startConsole();
  const addresses = (await running.cluster()).nodes.map((node) => node.address);
  expect(serversOn(addresses)).toHaveLength(5);
  const stream = await fetch(`${running.url}/api/v1/events`);
  await stream.body?.getReader().read();
  expect(await running.stop()).toBe(0);
  expect(serversOn(addresses)).toEqual([]);
});

test("SIGKILL of the console leaves no redis-server behind, a paused one neither, and the next start is not disturbed", async () => {
  const running = await startConsole();
  const addresses = (await running.cluster()).nodes.map((node) => node.address);
  await running.send("POST", "/api/v1/cluster/nodes/b/faults", { fault: "pause" });
  running.process.kill("SIGKILL");
  await once(running.process, "exit");
  await until(
    () => serversOn(addresses).length === 0,
    10_000,
    () => `still there: ${serversOn(addresses).join("\n")}`,
  );
  const next = await startConsole();
  expect((await next.cluster()).up).toBe(5);
  expect(await next.stop()).toBe(0);
});

test("a taken port is one sentence with the way out, not a stack trace", async () => {
  const blocker = createServer().listen(0, "127.0.0.1");
  await once(blocker, "listening");
  const address = blocker.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const child = spawn(process.execPath, ["lib/setup/main.mjs", "start"], {
    env: { ...process.env, NODE_ENV: "production", PORT: String(address.port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  child.stdout.on("data", (chunk) => {
    printed += chunk;
  });
  child.stderr.on("data", (chunk) => {
    printed += chunk;
  });
  const [code] = await once(child, "close");
  blocker.close();
  expect(code).toBe(1);
  expect(printed).toContain(`${address.port}`);
  expect(printed).toMatch(/PORT=\d+ npm start/);
  expect(printed).not.toMatch(/^\s+at /m);
});

test("with REDLOCK_NODES the console uses those masters and starts none", async () => {
  const owner = await startConsole();
  const nodes = (await owner.cluster()).nodes.slice(0, 3);
  const list = nodes.map((node, index) => `redis://${node.address}#m${index + 1}`).join(",");
  const guest = await startConsole({ REDLOCK_NODES: list });
  const cluster = await guest.cluster();
  expect(cluster).toMatchObject({ n: 3, quorum: 2, up: 3, embedded: false });
  expect(cluster.nodes.map((node) => node.id)).toEqual(["m1", "m2", "m3"]);
  expect(await guest.send("POST", "/api/v1/cluster/nodes/m1/faults", { fault: "stop" })).toMatchObject({
    status: 409,
    body: { error: { code: "not_embedded" } },
  });
  expect(await guest.stop()).toBe(0);
  expect(await redisCli(nodes[0]?.address ?? "", "PING")).toBe("PONG");
  expect(await owner.stop()).toBe(0);
});

test("with masters that refuse every connection the console starts, says what it dialled, and keeps trying", async ({
  page,
}) => {
  const running = await startConsole({
    REDLOCK_NODES: "redis://127.0.0.1:1#x,redis://127.0.0.1:2#y,redis://127.0.0.1:3#z",
  });
  const cluster = await running.cluster();
  expect(cluster).toMatchObject({ n: 3, up: 0, voting: 0 });
  expect(cluster.nodes[0]?.faults.join(" ")).toContain("ECONNREFUSED");
  await page.goto(`${running.url}/`);
  await expect(page.getByText("127.0.0.1:1", { exact: false }).first()).toBeVisible();
  const health = await fetch(`${running.url}/healthz`);
  expect(health.status).toBe(200);
  expect(await running.stop()).toBe(0);
});
