import { readFile } from "node:fs/promises";
import { expect, type Page, test } from "@playwright/test";
import { type RunningConsole, redisCli, startConsole } from "../support/console";

// A list far longer than a browser keeps, on five real nodes: what is on screen is drawn, the rest is a place to scroll to.
test.describe.configure({ mode: "serial" });

const LOCKS = Number(process.env.MANY_LOCKS ?? 20_000);
/** Sets keys from ARGV[1] to ARGV[2], with tokens as node-redlock writes them. */
const FILL = `
for i = tonumber(ARGV[1]), tonumber(ARGV[2]) do
  redis.call('SET', string.format('many:%06d', i), string.format('%040x', i), 'PX', 3600000)
end`;
const NAMES = {
  first: "many:000001",
  second: "many:000002",
  last: `many:${String(LOCKS).padStart(6, "0")}`,
};

let running: RunningConsole;
let page: Page;

test.beforeAll(async ({ browser }) => {
  running = await startConsole();
  const { nodes } = await running.cluster();
  for (let from = 1; from <= LOCKS; from += 5000) {
    const to = String(Math.min(LOCKS, from + 4999));
    await Promise.all(nodes.map(({ address }) => redisCli(address, "EVAL", FILL, "0", String(from), to)));
  }
  await expect(async () => {
    expect((await running.get<{ total: number }>("/api/v1/locks?limit=1")).total).toBe(LOCKS);
  }).toPass({ timeout: 240_000 });
  page = await browser.newPage();
});

test.afterAll(async () => {
  await page?.close();
  await running?.stop();
});

const rows = () => page.locator("[data-row]");
const link = (name: string) => page.getByRole("link", { name, exact: true });

test("the first rows are there with the page, and only what is on screen is drawn", async () => {
  await page.goto(`${running.url}/locks?sort=resource`, { waitUntil: "commit" });
  // How long it took is told, not tested: a busy machine takes its time.
  await expect(link(NAMES.first)).toBeVisible({ timeout: 60_000 });
  const firstViewMs = await page.evaluate(() => Math.round(performance.now()));
  console.log(`${LOCKS} locks: the first rows are on screen ${firstViewMs} ms after the page was asked for`);
  await expect(page.locator("[data-connection=live]")).toBeVisible();
  await expect(page.getByRole("table")).toHaveAttribute("aria-rowcount", String(LOCKS + 1));
  expect(await rows().count()).toBeLessThan(200);
});

test("scrolling to the end shows the last name, at its place, without drawing more", async () => {
  const startedAt = performance.now();
  // A page that is only just waking up may put itself back to where it began.
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect(link(NAMES.last)).toBeVisible({ timeout: 3000 });
  }).toPass({ timeout: 30_000 });
  console.log(
    `the last of ${LOCKS} rows is there ${Math.round(performance.now() - startedAt)} ms after the jump to it`,
  );
  const last = page.getByRole("row").filter({ has: link(NAMES.last) });
  await expect(last).toHaveAttribute("aria-rowindex", String(LOCKS + 1));
  expect(await rows().count()).toBeLessThan(200);
});

test("while it is scrolled by the wheel rows keep coming", async () => {
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect(link(NAMES.first)).toBeVisible();
  await page.mouse.move(640, 500);
  const frames = page.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        const gaps: number[] = [];
        let before = performance.now();
        const look = (now: number) => {
          gaps.push(now - before);
          before = now;
          if (gaps.length < 120) requestAnimationFrame(look);
          else resolve(gaps.sort((a, b) => a - b));
        };
        requestAnimationFrame(look);
      }),
  );
  for (let turn = 0; turn < 40; turn += 1) await page.mouse.wheel(0, 400);
  const gaps = await frames;
  console.log(
    `frames while scrolling: half within ${gaps[60]?.toFixed(0)} ms, 95 % within ${gaps[114]?.toFixed(0)} ms`,
  );
  await expect(async () => {
    const at = await page.evaluate(() => {
      const row = document.elementFromPoint(640, 500)?.closest("[data-row]");
      return row?.querySelector("[data-row-link]")?.textContent ?? null;
    });
    expect(at).toMatch(/^many:000[2-9]/);
  }).toPass();
  expect(await rows().count()).toBeLessThan(200);
});

test("the keyboard goes along the rows and to both ends of the list, wherever the screen is", async () => {
  await page.evaluate(() => window.scrollTo(0, 0));
  await link(NAMES.first).focus();
  await page.keyboard.press("j");
  await expect(link(NAMES.second)).toBeFocused();
  await page.evaluate(() => window.scrollTo(0, 100_000));
  await expect(link(NAMES.second)).toBeFocused();
  await page.keyboard.press("j");
  await expect(link("many:000003")).toBeFocused();
  await page.keyboard.press("End");
  await expect(link(NAMES.last)).toBeFocused();
  await page.keyboard.press("x");
  await expect(page.getByText("1 selected", { exact: true })).toBeVisible();
  await page.keyboard.press("Home");
  await expect(link(NAMES.first)).toBeFocused();
  await page.getByRole("button", { name: "Clear", exact: true }).click();
});

test("a filter over all of them answers, and its count is right", async () => {
  const startedAt = performance.now();
  await page.getByLabel("Search locks").fill("many:0000");
  await expect(page.getByText(`99 of ${LOCKS.toLocaleString("en-US")} locks fit the filter`)).toBeVisible();
  console.log(`a filter over ${LOCKS} locks answers within ${Math.round(performance.now() - startedAt)} ms of typing`);
  await page.getByLabel("Search locks").fill("");
  await expect(page.getByRole("table")).toHaveAttribute("aria-rowcount", String(LOCKS + 1));
});

test("all that fits is selected and saved, also what was never on screen; of more than one action takes nothing is selected", async () => {
  const search = page.getByLabel("Search locks");
  const all = page.getByRole("checkbox", { name: "Select all that fit" });
  await all.click();
  await expect(page.getByText(`${LOCKS.toLocaleString("en-US")} fit: not selected`)).toBeVisible();
  await expect(all).not.toBeChecked();
  // More than the rows around the screen that the page knows.
  await search.fill("many:00 99");
  const fitting = Array.from({ length: Math.min(LOCKS, 9999) }, (_, index) => String(index + 1).padStart(4, "0"));
  const count = fitting.filter((digits) => digits.includes("99")).length;
  await expect(page.getByText(`${count} of ${LOCKS.toLocaleString("en-US")} locks fit the filter`)).toBeVisible();
  await all.click();
  await expect(page.getByText(`${count} selected`, { exact: true })).toBeVisible();
  await expect(all).toBeChecked();
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: /CSV/ }).click();
  const saved = await readFile(await (await saving).path(), "utf8");
  expect(new Set(saved.match(/^many:\d+/gm)).size).toBe(count);
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await search.fill("");
  await expect(page.getByRole("table")).toHaveAttribute("aria-rowcount", String(LOCKS + 1));
});

test("a row on screen changes by itself, and the counts with it", async () => {
  // Under a resting pointer it would stay, as gone.
  await page.mouse.move(0, 0);
  await expect(link(NAMES.first)).toBeVisible();
  const { nodes } = await running.cluster();
  await Promise.all(nodes.map(({ address }) => redisCli(address, "DEL", NAMES.first)));
  await expect(link(NAMES.first)).toHaveCount(0, { timeout: 60_000 });
  await expect(page.getByRole("table")).toHaveAttribute("aria-rowcount", String(LOCKS));
});
