import { expect, test } from "@playwright/test";
import type { IncidentList } from "@/lib/contract";
import { expectNoViolations } from "../support/axe";
import { type RunningConsole, redisCli, startConsole, until } from "../support/console";

let running: RunningConsole;

test.beforeAll(async () => {
  running = await startConsole();
});

test.afterAll(async () => {
  await running.stop();
});

/** Two foreign holders of one lock: the first is forced, the second gets in before its time is over. */
async function makeIncident() {
  const nodes = (await running.cluster()).nodes.filter(({ id }) => id !== "e");
  const set = (token: string) =>
    Promise.all(nodes.map(({ address }) => redisCli(address, "SET", "twice:held", token, "PX", "600000")));
  await set("1".repeat(40));
  await until(async () => (await running.lock("twice%3Aheld")).votes === 4, 10_000);
  const { holder } = await running.lock("twice%3Aheld");
  const body = { fingerprint: holder?.fingerprint, reason: "to see both" };
  await running.send("POST", "/api/v1/locks/twice%3Aheld/force-expire", body);
  await set("2".repeat(40));
  await until(async () => {
    await running.get("/api/v1/locks");
    return (await running.get<IncidentList>("/api/v1/incidents")).incidents.length > 0;
  }, 20_000);
}

const PAGES = ["/", "/locks", "/locks/orders%3A42", "/nodes", "/incidents", "/discovery", "/lab"];

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
    await makeIncident();
  });

  test("an incident can be followed from the overview to its card and its lock, with the keyboard, also when narrow", async ({
    page,
  }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto(running.url);
    await page.getByRole("region", { name: "Incidents" }).getByRole("link", { name: "twice:held" }).press("Enter");
    const card = page.getByRole("article", { name: "twice:held" });
    await expect(card).toContainText("Force-expired by");
    await expect(card.getByRole("img")).toBeVisible();
    await card.getByText("What was seen").press("Enter");
    await expect(card.getByText(/holds it on 4 of 5 nodes/)).toBeVisible();
    await expectNoViolations(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await card.getByRole("link", { name: "twice:held" }).press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toContainText("twice:held");
  });

  for (const scheme of ["light", "dark"] as const) {
    for (const path of PAGES) {
      test(`${path} has no axe violation (${scheme})`, async ({ page }) => {
        await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
        await page.goto(running.url + path);
        if (path === "/discovery") await page.getByRole("button", { name: "Sample the nodes" }).click();
        const content = path === "/lab" ? /Five masters/ : /orders:42|stopped|twice:held/;
        await expect(page.getByText(content).first()).toBeVisible();
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
    for (const name of ["Locks", "Nodes", "Discovery", "Overview"]) {
      await page.getByRole("link", { name, exact: true }).first().focus();
      await page.keyboard.press("Enter");
      await expect(page.getByRole("heading", { level: 1 })).toContainText(new RegExp(name, "i"));
    }
  });
});
