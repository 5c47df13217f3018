import { readFile } from "node:fs/promises";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Locator, type Page, test } from "@playwright/test";
import type { Cluster } from "@/lib/contract";
import { type RunningConsole, redisCli, startConsole } from "../support/console";

// Acting on many locks at once, and saving the list, in one browser against the built product; every result checked with redis-cli.
test.describe.configure({ mode: "serial" });

let running: RunningConsole;
let nodes: Cluster["nodes"];
let page: Page;

test.beforeAll(async ({ browser }) => {
  running = await startConsole();
  nodes = (await running.cluster()).nodes;
  // axe insists on a context that was made for it.
  page = await (await browser.newContext()).newPage();
});

test.afterAll(async () => {
  await page.context().close();
  await running.stop();
});

/** What one redis-cli command answers on every node, in node order. */
function onNodes(...args: string[]): Promise<string[]> {
  return Promise.all(nodes.map((node) => redisCli(node.address, ...args)));
}

function tokenOf(name: string): string {
  return Buffer.from(name.padEnd(20, "-")).toString("hex");
}

async function setOnAllNodes(...resources: string[]) {
  for (const resource of resources) await onNodes("SET", resource, tokenOf(resource), "PX", "600000");
}

function box(resource: string): Locator {
  return page.getByRole("checkbox", { name: `Select ${resource}`, exact: true });
}

async function open(...resources: string[]): Promise<Locator> {
  await page.goto(`${running.url}/locks`);
  for (const resource of resources) {
    await box(resource).click();
    await expect(box(resource)).toBeChecked();
  }
  await page.getByRole("button", { name: "Force-expire…" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Reason")).toBeVisible();
  return dialog;
}

test("two of three selected locks are gone on all nodes after count and reason, the third is untouched", async () => {
  await setOnAllNodes("bulk:1", "bulk:2", "bulk:3");
  const dialog = await open("bulk:1", "bulk:2");
  await expect(dialog).toContainText("All 2 can be expired.");
  // The dry run deletes nothing.
  expect(await onNodes("EXISTS", "bulk:1", "bulk:2", "bulk:3")).toEqual(Array(5).fill("3"));
  const { violations } = await new AxeBuilder({ page }).include("[role=dialog]").analyze();
  expect(violations).toEqual([]);
  await dialog.getByLabel("Reason").fill("stuck since the deployment");
  await expect(dialog.getByRole("button", { name: /^Force-expire 2/ })).toHaveAttribute("aria-disabled", "true");
  await dialog.getByLabel(/to confirm/).fill("2");
  await dialog.getByRole("button", { name: "Force-expire 2", exact: true }).click();
  await expect(dialog.getByRole("status")).toContainText("2 expired");
  expect(await onNodes("EXISTS", "bulk:1", "bulk:2")).toEqual(Array(5).fill("0"));
  expect(await onNodes("GET", "bulk:3")).toEqual(Array(5).fill(tokenOf("bulk:3")));
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("button", { name: "Force-expire…" })).toHaveCount(0);
});

test("a lock that changed hands after it was looked at is reported as changed and keeps its new token", async () => {
  await setOnAllNodes("bulk:4", "bulk:5");
  const dialog = await open("bulk:4", "bulk:5");
  const successor = tokenOf("the next holder");
  await onNodes("SET", "bulk:5", successor, "PX", "600000");
  await dialog.getByLabel("Reason").fill("stuck since the deployment");
  await dialog.getByLabel(/to confirm/).fill("2");
  await dialog.getByRole("button", { name: "Force-expire 2", exact: true }).click();
  await expect(dialog.getByRole("status")).toContainText("1 expired · 1 changed meanwhile");
  await expect(dialog.getByRole("row", { name: /bulk:5/ })).toContainText("changed meanwhile");
  expect(await onNodes("EXISTS", "bulk:4")).toEqual(Array(5).fill("0"));
  expect(await onNodes("GET", "bulk:5")).toEqual(Array(5).fill(successor));
  await dialog.getByRole("button", { name: "Done" }).click();
});

test("a lock with several tokens cannot be selected together with others, and says why", async () => {
  const [a, b] = [tokenOf("one"), tokenOf("other")];
  await Promise.all(
    nodes.slice(0, 4).map((node, at) => redisCli(node.address, "SET", "bulk:split", at < 2 ? a : b, "PX", "600000")),
  );
  await page.goto(`${running.url}/locks`);
  await expect(page.getByRole("checkbox", { name: /^Select bulk:split \(not possible: several tokens/ })).toBeVisible();
});

test("the keyboard selects the focused row with x, and the narrow cards have the same boxes", async () => {
  await page.goto(`${running.url}/locks`);
  const link = page.getByRole("link", { name: "bulk:3", exact: true });
  await expect(link).toBeVisible();
  await expect(async () => {
    await link.focus();
    if (!(await box("bulk:3").isChecked())) await page.keyboard.press("x");
    expect(await box("bulk:3").isChecked()).toBe(true);
  }).toPass({ timeout: 15_000 });
  const size = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole("table")).toHaveCount(0);
  await expect(box("bulk:3")).toBeChecked();
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await expect(box("bulk:3")).not.toBeChecked();
  if (size !== null) await page.setViewportSize(size);
});

test("the list is saved as CSV and JSON, as filtered, with fingerprints and never a token", async () => {
  await page.goto(`${running.url}/locks?q=bulk:3`);
  await expect(box("bulk:3")).toBeVisible();
  for (const format of ["CSV", "JSON"] as const) {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await page.getByRole("menuitem", { name: format }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(
      new RegExp(`^locks-\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\dZ\\.${format.toLowerCase()}$`),
    );
    const text = await readFile(await file.path(), "utf8");
    expect(text).toContain(String((await running.lock("bulk%3A3")).holder?.fingerprint));
    expect(text).not.toContain(tokenOf("bulk:3"));
    expect(text).not.toContain("bulk:5");
  }
});
