// What a long list costs a browser, on a built console with five real nodes: `npm run bench -- page [--json FILE] [LOCKS]`

import { createRequire } from "node:module";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { type BenchRow, percentile, rounded, sleep } from "../support/bench";
import { metrics, scrolling } from "../support/bench-scroll";
import { CHROMIUM_ARGS } from "../support/chromium";
import { type RunningConsole, redisCli, startConsole, until } from "../support/console";

const FILL = `
for i = tonumber(ARGV[1]), tonumber(ARGV[2]) do
  redis.call('SET', string.format('many:%06d', i), string.format('%040x', i), 'PX', 3600000)
end`;
const FILL_STEP = 5000;
const READ_MS_MAX = 300_000;
const OPENINGS = 5;
const FILTERS = ["many:0000", "many:001", "holder:0f", "verdict:held 77", "many:00001"];

/** @param words how many locks, 100,000 when not given */
export async function run(words: readonly string[]): Promise<readonly BenchRow[]> {
  const locks = Number(words.find((word) => /^\d+$/.test(word)) ?? 100_000);
  // Bundled it would not find its own files.
  const { chromium } = createRequire(join(process.cwd(), "package.json"))("@playwright/test");
  const console_ = await startConsole();
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
    args: CHROMIUM_ARGS,
  });
  try {
    await fill(console_, locks);
    const page: Page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const rows = [
      await serverCost(console_),
      await openings(console_, page),
      await filters(page),
      ...(await scrolling(page)),
      await standing(page),
    ].map((row) => ({ locks, ...row }));
    for (const row of rows) console.info(JSON.stringify(row));
    return rows;
  } finally {
    await browser.close();
    await console_.stop();
  }
}

async function fill(running: RunningConsole, locks: number): Promise<void> {
  const { nodes } = await running.cluster();
  for (let from = 1; from <= locks; from += FILL_STEP) {
    const to = String(Math.min(locks, from + FILL_STEP - 1));
    await Promise.all(nodes.map(({ address }) => redisCli(address, "EVAL", FILL, "0", String(from), to)));
  }
  const known = async () => (await running.get<{ total: number }>("/api/v1/locks?limit=1")).total === locks;
  await until(known, READ_MS_MAX, () => "the console never knew all locks");
}

/** The document as the server makes it, and one page of the API. */
async function serverCost({ url }: RunningConsole): Promise<BenchRow> {
  const took = async (path: string) => {
    const times: number[] = [];
    for (let round = 0; round < 2 * OPENINGS; round += 1) {
      const startedAt = performance.now();
      await (await fetch(url + path)).arrayBuffer();
      times.push(performance.now() - startedAt);
    }
    return { first: times[0] ?? Number.NaN, median: percentile(times, 0.5) };
  };
  const page = await took("/locks?sort=resource");
  const api = await took("/api/v1/locks?sort=resource&limit=200");
  const bytes = (await (await fetch(`${url}/locks?sort=resource`)).arrayBuffer()).byteLength;
  return {
    what: "the server",
    "document, first ms": rounded(page.first),
    "document ms": rounded(page.median),
    "document kB": rounded(bytes / 1024),
    "200 rows by the API ms": rounded(api.median),
  };
}

async function openings({ url }: RunningConsole, page: Page): Promise<BenchRow> {
  const shown: number[] = [];
  const live: number[] = [];
  for (let round = 0; round < OPENINGS; round += 1) {
    await page.goto("about:blank");
    await page.goto(`${url}/locks?sort=resource`, { waitUntil: "commit" });
    await page.getByRole("link", { name: "many:000001", exact: true }).waitFor();
    shown.push(await page.evaluate(() => performance.now()));
    await page.locator("[data-connection=live]").waitFor();
    live.push(await page.evaluate(() => performance.now()));
  }
  return {
    what: "opening the page",
    "first rows ms": rounded(percentile(shown, 0.5)),
    "live ms": rounded(percentile(live, 0.5)),
  };
}

async function filters(page: Page): Promise<BenchRow> {
  const times: number[] = [];
  for (const text of FILTERS) {
    times.push(await answered(page, text));
    await answered(page, "");
  }
  return {
    what: "a filter, from typing to the rows",
    "p50 ms": rounded(percentile(times, 0.5)),
    "worst ms": rounded(Math.max(...times)),
  };
}

/** Fills in a filter. @returns milliseconds until the list has its rows, on the page's own clock */
async function answered(page: Page, text: string): Promise<number> {
  const before = await page.getByRole("table").getAttribute("aria-rowcount");
  const search = page.getByLabel("Search locks");
  const changed = page.evaluate(
    (count) =>
      new Promise<number>((resolve) => {
        let startedAt: number | null = null;
        document.addEventListener("input", () => (startedAt ??= performance.now()), { once: true, capture: true });
        const look = () => {
          const now = document.querySelector("table")?.getAttribute("aria-rowcount");
          const isBusy = document.querySelector("[aria-busy=true]") !== null;
          if (startedAt !== null && now !== count && !isBusy) resolve(performance.now() - startedAt);
          else requestAnimationFrame(look);
        };
        look();
      }),
    before,
  );
  await search.fill(text);
  return await changed;
}

/** What the page costs while nobody touches it, and what it keeps. */
async function standing(page: Page): Promise<BenchRow> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.evaluate(() => window.scrollTo(0, 0));
  await sleep(1000);
  const before = await metrics(session);
  await sleep(5000);
  const after = await metrics(session);
  await session.send("HeapProfiler.collectGarbage");
  const kept = await metrics(session);
  const seconds = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  return {
    what: "standing still",
    "CPU %": rounded((100 * seconds("TaskDuration")) / 5),
    "heap MB": rounded((kept.get("JSHeapUsedSize") ?? 0) / 2 ** 20),
    "DOM nodes": await page.evaluate(() => document.querySelectorAll("*").length),
    "of them in a row": await page.evaluate(
      () => document.querySelector("[data-row]")?.querySelectorAll("*").length ?? 0,
    ),
    "rows drawn": await page.evaluate(() => document.querySelectorAll("[data-row]").length),
  };
}
