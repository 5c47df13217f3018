import { readFile } from "node:fs/promises";
import { expect, type Page, test } from "@playwright/test";
import { expectNoViolations } from "../support/axe";
import { type RunningConsole, startConsole } from "../support/console";

/** The longest scenario waits for a quarantine; the rest is a busy machine. */
const VERDICT_WITHIN_MS = 70_000;

let running: RunningConsole;

test.beforeAll(async () => {
  running = await startConsole();
});

test.afterAll(async () => {
  await running.stop();
});

const verdictOf = (page: Page) => page.getByRole("region", { name: "Verdict" });
const recordOf = (page: Page) => page.getByRole("region", { name: "Record of the run" });

async function expectMet(page: Page) {
  await expect(verdictOf(page).getByText("As expected")).toBeVisible({ timeout: VERDICT_WITHIN_MS });
  await expect(verdictOf(page).getByText("no", { exact: true })).toHaveCount(0);
}

for (const { title, scenario, n, seen } of [
  { title: "One master, and how to give", scenario: "single-instance", n: 1, seen: "two holders" },
  { title: "Five masters, fewer", scenario: "five-masters", n: 3, seen: "killed (SIGKILL)" },
  { title: "A node that hangs", scenario: "hung-node", n: 3, seen: "paused (SIGSTOP)" },
  { title: "The vote was cast", scenario: "reply-lost", n: 3, seen: "replies are held" },
  { title: "Crash and restart without", scenario: "crash-restart", n: 5, seen: "may not vote" },
  { title: "A cut through the network", scenario: "partition", n: 5, seen: "mended" },
]) {
  test(`${scenario}: from opening the page to the verdict`, async ({ page }) => {
    await page.goto(`${running.url}/lab`);
    await page.getByRole("radio", { name: new RegExp(title) }).check();
    if (n > 1) await page.getByLabel("Masters", { exact: true }).selectOption(String(n));
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await expectMet(page);
    await expect(recordOf(page)).toContainText(seen);
    expect(new URL(page.url()).searchParams.get("scenario") ?? "single-instance").toBe(scenario);
  });
}

test("with the keyboard alone, narrow and without motion, from opening the page to the verdict", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(`${running.url}/lab`);
  await page.getByRole("radio", { checked: true }).focus();
  // Round to the last one, and to the one before it.
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect(page.getByRole("radio", { name: /operator/ })).toBeChecked();
  await tabTo(page, "Run");
  await page.keyboard.press("Enter");
  await expectMet(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});

test("foreseen, replayed, presented and saved, without a violation of axe", async ({ page }) => {
  await page.goto(`${running.url}/lab?scenario=single-instance&seed=3&predict=1`);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const prediction = page.getByRole("region", { name: "Prediction" });
  await prediction.getByRole("button", { name: "Nobody's" }).click({ timeout: VERDICT_WITHIN_MS });
  await expect(prediction.getByText("A sends a plain DEL.")).toBeVisible({ timeout: VERDICT_WITHIN_MS });
  await expect(verdictOf(page).getByText("The verdict comes at the end")).toBeVisible();
  await expect(recordOf(page)).not.toContainText("sent DEL");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expectNoViolations(page);
  }
  await prediction.getByRole("button", { name: "Refused" }).click();
  await expectMet(page);
  await expect(page.getByRole("region", { name: "Score" })).toContainText("You foresaw 1 of 2");
  await expectNoViolations(page);

  await page.getByRole("slider", { name: "Moment of the record" }).press("Home");
  await expect(verdictOf(page).getByText("The verdict comes at the end")).toBeVisible();
  const hasBelief = async () => (await recordOf(page).textContent())?.includes("A believes") ?? false;
  for (let steps = 0; steps < 10 && !(await hasBelief()); steps += 1) {
    await page.getByRole("button", { name: "Step forward" }).click();
  }
  await expect(recordOf(page)).toContainText("A believes");
  await expect(recordOf(page)).not.toContainText("B believes");
  await expect(page.getByRole("list", { name: "Clients" })).toContainText("I believe: lab:door is mine until");

  const [record] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Record as JSON" }).click(),
  ]);
  const { run } = JSON.parse(await readFile(await record.path(), "utf8"));
  expect(run).toMatchObject({ scenario: "single-instance", seed: 3, state: "met" });
  const [picture] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Timeline as SVG" }).click(),
  ]);
  expect(await readFile(await picture.path(), "utf8")).toContain("two holders");

  await page.getByRole("button", { name: /^Present/ }).click();
  await expect(page.getByRole("navigation")).toBeHidden();
  await page.getByRole("heading", { level: 1 }).click();
  const narration = page.getByRole("status");
  for (let steps = 0; steps < 30 && !(await verdictOf(page).getByText("As expected").isVisible()); steps += 1) {
    await page.keyboard.press("ArrowRight");
  }
  await expect(narration).toContainText("two holders");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("navigation").first()).toBeVisible();
});

test("the sandbox: two pages see one run; one drives and does harm, the other one takes over and ends it", async ({
  page,
  context,
}) => {
  const address = `${running.url}/lab?scenario=sandbox&seed=5&n=3`;
  const other = await context.newPage();
  await Promise.all([page.goto(address), other.goto(address)]);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const commands = page.getByRole("region", { name: "Commands" });
  await expect(recordOf(page)).toContainText("The sandbox is open", { timeout: VERDICT_WITHIN_MS });
  await expectNoViolations(page);
  await commands.getByRole("group", { name: "node a" }).getByRole("button", { name: "kill" }).click();
  await expect(recordOf(other)).toContainText("node a killed (SIGKILL)", { timeout: VERDICT_WITHIN_MS });
  await other.getByRole("button", { name: "Take over", exact: true }).click();
  await expect(page.getByText("Another page drives. 2 pages watch.")).toBeVisible();
  await other.getByRole("button", { name: "End and judge", exact: true }).click();
  for (const each of [page, other]) {
    await expect(verdictOf(each).getByText("As expected")).toBeVisible({ timeout: VERDICT_WITHIN_MS });
  }
});

test("an earlier run is opened from the list, and by its address from another page, while a newer one is there", async ({
  page,
  context,
}) => {
  const ids: string[] = [];
  for (const seed of [11, 12]) {
    const { body } = await running.send("POST", "/api/v1/lab/runs", { scenario: "five-masters", seed, n: 1 });
    const { id } = body.data as unknown as { id: string };
    ids.push(id);
    const isOver = async () => (await running.get<{ state: string }>(`/api/v1/lab/runs/${id}`)).state === "met";
    await expect.poll(isOver, { timeout: VERDICT_WITHIN_MS }).toBe(true);
  }
  await page.goto(`${running.url}/lab?scenario=five-masters`);
  await expect(page.getByRole("heading", { name: /seed 12/ })).toBeVisible();
  await page.locator(`a[href*="run=${ids[0]}"]`).click();
  await expect(page.getByRole("heading", { name: /seed 11/ })).toBeVisible();
  await expectMet(page);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByRole("heading", { name: /seed 11/ })).toBeVisible();
  await expectNoViolations(other);
  await page.goBack();
  await expect(page.getByRole("heading", { name: /seed 12/ })).toBeVisible();
});

/** Presses Tab until the button that begins so has the focus. */
async function tabTo(page: Page, begins: string) {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press("Tab");
    const text = await page.evaluate(() => document.activeElement?.textContent ?? "");
    if (text.startsWith(begins)) return;
  }
  throw new Error(`no button "${begins}" within 40 presses of Tab`);
}
