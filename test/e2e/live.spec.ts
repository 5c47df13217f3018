import { expect, test } from "@playwright/test";
import { type RunningConsole, redisCli, startConsole } from "../support/console";

let running: RunningConsole;

test.beforeAll(async () => {
  running = await startConsole();
  await running.send("POST", "/api/v1/locks", { resources: ["orders:42"], ttlMs: 600_000 });
});

test.afterAll(async () => {
  await running.stop();
});

async function setOnAll(resource: string) {
  const { nodes } = await running.cluster();
  for (const node of nodes) {
    await redisCli(node.address, "SET", resource, "0123456789abcdef0123456789abcdef", "PX", "600000");
  }
}

test("a lock set on the nodes appears on an open page by itself", async ({ page }) => {
  await page.goto(`${running.url}/locks`);
  await expect(page.locator("[data-connection=live]")).toBeVisible();
  await setOnAll("pushed:1");
  await expect(page.getByRole("link", { name: "pushed:1" })).toBeVisible();
});

test("with the event stream blocked the page polls, says so, and still shows what is new", async ({ page }) => {
  await page.route("**/api/v1/events", (route) => route.abort());
  await page.goto(`${running.url}/locks`);
  await expect(page.locator("[data-connection=polling]")).toBeVisible({ timeout: 40_000 });
  await setOnAll("polled:1");
  await expect(page.getByRole("link", { name: "polled:1" })).toBeVisible();
});

test("a console that hangs makes the page say so and puts the destructive buttons out of use, until it is back", async ({
  page,
}) => {
  await page.goto(`${running.url}/locks/orders%3A42`);
  const button = page.getByRole("button", { name: /^Force-expire…/ });
  await expect(button).toBeEnabled();
  running.process.kill("SIGSTOP");
  try {
    await expect(page.getByText("What you see is old:", { exact: true })).toBeVisible({ timeout: 40_000 });
    await expect(button).toBeDisabled();
  } finally {
    running.process.kill("SIGCONT");
  }
  await expect(page.getByText("What you see is old:", { exact: true })).toBeHidden({ timeout: 40_000 });
  await expect(button).toBeEnabled();
});

test("a page that was open while the console was restarted shows the present again without a reload", async ({
  page,
}) => {
  const first = await startConsole();
  await page.goto(`${first.url}/locks`);
  await expect(page.locator("[data-connection=live]")).toBeVisible();
  await first.stop();
  await expect(page.locator("[data-connection=live]")).toHaveCount(0);
  const second = await startConsole({ PORT: new URL(first.url).port });
  try {
    await second.send("POST", "/api/v1/locks", { resources: ["while:away"], ttlMs: 600_000 });
    await expect(page.getByRole("link", { name: "while:away" })).toBeVisible({ timeout: 40_000 });
    await expect(page.locator("[data-connection=live]")).toBeVisible({ timeout: 40_000 });
  } finally {
    await second.stop();
  }
});
