import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { type RunningConsole, startConsole } from "../support/console";

let running: RunningConsole;

test.beforeAll(async () => {
  running = await startConsole();
});

test.afterAll(async () => {
  await running.stop();
});

async function expectNoViolations(page: Page) {
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"])
    .analyze();
  expect(
    violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.target).join(" | ")}`),
  ).toEqual([]);
}

const PAGES = ["/", "/locks", "/locks/orders%3A42", "/nodes", "/lab"];

for (const scheme of ["light", "dark"] as const) {
  for (const path of PAGES) {
    test(`${path} has no axe violation when empty (${scheme})`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      await page.goto(running.url + path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByRole("status", { name: /loading/i })).toHaveCount(0);
      await expectNoViolations(page);
    });
  }
}

test.describe("full, with a node stopped", () => {
  test.beforeAll(async () => {
    await running.send("POST", "/api/v1/locks", { resources: ["orders:42"], ttlMs: 600_000 });
    await running.send("POST", "/api/v1/cluster/nodes/e/faults", { fault: "stop" });
  });

  for (const scheme of ["light", "dark"] as const) {
    for (const path of PAGES) {
      test(`${path} has no axe violation (${scheme})`, async ({ page }) => {
        await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
        await page.goto(running.url + path);
        await expect(page.getByText("orders:42").or(page.getByText("stopped")).first()).toBeVisible();
        await expectNoViolations(page);
      });
    }
  }

  for (const { name, path, button } of [
    { name: "acquire", path: "/locks", button: "Acquire a lock" },
    { name: "force-expire", path: "/locks/orders%3A42", button: "Force-expire…" },
    { name: "revoke", path: "/locks/orders%3A42", button: "Revoke…" },
    { name: "start empty", path: "/nodes", button: "Start empty… node e" },
  ]) {
    test(`the ${name} dialog has no axe violation, takes the focus and gives it back on Escape`, async ({ page }) => {
      await page.emulateMedia({ reducedMotion: "reduce" });
      await page.goto(running.url + path);
      const opener = page.getByRole("button", { name: button }).first();
      await opener.focus();
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog");
      await expect(dialog).toBeVisible();
      await expect(dialog.getByText("Asking every node")).toHaveCount(0);
      await expectNoViolations(page);
      await page.keyboard.press("Escape");
      await expect(dialog).toHaveCount(0);
      await expect(opener).toBeFocused();
    });
  }

  test("every page can be reached and left with the keyboard alone, the focus always visible", async ({ page }) => {
    await page.goto(`${running.url}/`);
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name: /skip to/i })).toBeFocused();
    await page.keyboard.press("Enter");
    for (const name of ["Locks", "Nodes", "Overview"]) {
      await page.getByRole("link", { name, exact: true }).first().focus();
      await page.keyboard.press("Enter");
      await expect(page.getByRole("heading", { level: 1 })).toContainText(new RegExp(name, "i"));
    }
  });
});
