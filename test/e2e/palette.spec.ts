import AxeBuilder from "@axe-core/playwright";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { type RunningConsole, startConsole } from "../support/console";

// Getting around and showing: the command palette, the time zone, the wallboard, hidden nodes.

let running: RunningConsole;

test.beforeAll(async () => {
  running = await startConsole();
  await running.send("POST", "/api/v1/locks", { resources: ["orders:42"], ttlMs: 600_000 });
  await running.send("POST", "/api/v1/cluster/nodes/e/faults", { fault: "stop" });
});

test.afterAll(async () => {
  await running.stop();
});

test.use({ timezoneId: "Asia/Kolkata" });

async function open(page: Page, path: string) {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(running.url + path);
  await expect(page.locator("[data-connection=live]").filter({ visible: true })).toBeVisible();
}

async function openPalette(page: Page): Promise<Locator> {
  await page.keyboard.press("Control+k");
  const input = page.getByRole("combobox", { name: "Page, lock, node or action" });
  await expect(input).toBeFocused();
  return input;
}

async function expectNoViolations(page: Page) {
  const tags = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"];
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
  expect(
    violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.target).join(" | ")}`),
  ).toEqual([]);
}

test("the palette leads with the keyboard alone to a page, a held lock, a free one and a node", async ({ page }) => {
  const go = async (text: string, first: RegExp) => {
    await (await openPalette(page)).fill(text);
    await expect(page.getByRole("option", { name: first })).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("Enter");
  };
  await open(page, "/");
  await go("locks", /^Locks$/);
  await expect(page).toHaveURL(/\/locks$/);
  await go("ders:4", /^orders:42/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("orders:42");
  await go("nobody:has/it", /^Open “nobody:has\/it”/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("nobody:has/it");
  await go("node d", /^Node d/);
  await expect(page.getByRole("article", { name: "Node d", exact: true })).toBeInViewport();
});

test("the palette acquires nothing by itself, and gives the focus back", async ({ page }) => {
  await open(page, "/locks");
  const button = page.getByRole("button", { name: /^Command palette/ });
  await button.focus();
  await (await openPalette(page)).fill("fresh:name");
  await page.getByRole("option", { name: "Acquire “fresh:name”…" }).click();
  const dialog = page.getByRole("dialog", { name: "Acquire a lock" });
  await expect(dialog.getByLabel("Resources")).toHaveValue(/fresh:name/);
  expect((await running.lock("fresh%3Aname")).verdict).toBe("free");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(button).toBeFocused();
});

for (const { name, width } of [
  { name: "wide", width: 1280 },
  { name: "narrow", width: 390 },
]) {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`the palette has no axe violation and fits a ${name} screen (${colorScheme})`, async ({ page }) => {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await open(page, "/");
      await page.getByRole("button", { name: /^Command palette/ }).click();
      await expect(page.getByRole("option", { name: /^Locks/ })).toBeVisible();
      await expectNoViolations(page);
      await page.getByRole("combobox").fill("or");
      await expect(page.getByRole("option", { name: /^orders:42/ })).toBeVisible();
      await expectNoViolations(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    });
  }
}

test("times carry their zone, and a link shows them in UTC to everybody", async ({ page, browser }) => {
  await open(page, "/");
  const time = page.locator("time").first();
  await expect(time).toContainText("GMT+5:30");
  await page.getByRole("button", { name: /Switch to UTC/ }).click();
  await expect(time).toContainText("UTC");
  await expect(page).toHaveURL(/[?&]tz=utc/);
  await page.getByRole("link", { name: "Nodes", exact: true }).click();
  await expect(page).toHaveURL(/\/nodes\?tz=utc/);
  const elsewhere = await browser.newPage({ timezoneId: "Asia/Kolkata" });
  await elsewhere.goto(`${running.url}/locks/orders%3A42?tz=utc`);
  await expect(elsewhere.locator("time").first()).toContainText("UTC");
  await elsewhere.close();
});

test("the wallboard shows and cannot change anything, hides the pointer, and is left with Escape", async ({ page }) => {
  await open(page, "/?kiosk=1");
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await expect(page.getByRole("button", { name: /demonstration/i })).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 2 }).first()).toHaveText("Problems first");
  await expectNoViolations(page);
  await expect(page.locator(".shell")).toHaveCSS("cursor", "none");
  await page.mouse.move(200, 200);
  await expect(page.locator(".shell")).not.toHaveCSS("cursor", "none");
  await openPalette(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("combobox")).toHaveCount(0);
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("navigation")).toBeVisible();
  await expect(page).not.toHaveURL(/kiosk/);
});

test("a node hidden from view still counts, and the page does not let anybody forget it", async ({ page }) => {
  await open(page, "/nodes");
  const before = await page.getByText(/^voting \d of 5/).textContent();
  await page.getByRole("button", { name: "Hide node e from view" }).click();
  await expect(page.getByRole("article")).toHaveCount(4);
  await expect(page.getByText("1 hidden")).toBeVisible();
  await expect(page.getByText("(stopped)")).toBeVisible();
  expect(await page.getByText(/^voting \d of 5/).textContent()).toBe(before);
  await expect(page).toHaveURL(/hide=e/);
  await page.reload();
  await expect(page.getByText("1 hidden")).toBeVisible();
  await page.getByRole("button", { name: "Show it" }).click();
  await expect(page.getByRole("article")).toHaveCount(5);
});
