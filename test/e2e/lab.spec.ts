import { expect, type Page, test } from "@playwright/test";
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
  { title: "Crash and restart", scenario: "crash-restart", n: 5, seen: "quarantined" },
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
  await page.keyboard.press("ArrowUp");
  await expect(page.getByRole("radio", { name: /operator/ })).toBeChecked();
  await tabTo(page, "Run");
  await page.keyboard.press("Enter");
  await expectMet(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
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
