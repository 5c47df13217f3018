// Makes the pictures of README.md: starts a console of its own with demonstration clients, and photographs its pages.
// Run it with `npm run screenshots`; the pictures land in public/screenshots.
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { chromium } from "@playwright/test";
import { labWalkthrough } from "./lab-walkthrough.mjs";

const PORT = process.env.PORT ?? "3987";
const URL = `http://127.0.0.1:${PORT}`;
const FOLDER = new globalThis.URL("../../public/screenshots/", import.meta.url).pathname;
const ARGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];

async function send(method, path, body) {
  const response = await fetch(URL + path, {
    method,
    ...(body ? { body: JSON.stringify(body), headers: { "content-type": "application/json" } } : {}),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer.data;
}

async function ready() {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const isReady = await fetch(`${URL}/readyz`).then(
      (response) => response.ok,
      () => false, // not listening yet
    );
    if (isReady) return;
    await wait(200);
  }
  throw new Error("the console did not become ready within a minute");
}

async function photograph(browser, { name, path, scheme, width, height, before }) {
  const context = await browser.newContext({
    colorScheme: scheme,
    viewport: { width, height },
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await page.goto(URL + path, { waitUntil: "load" });
  await page.getByRole("heading", { level: 1 }).waitFor();
  await wait(1500); // let the stream's first snapshot arrive
  if (before) await before(page);
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: "disabled" });
  await context.close();
  console.log(`public/screenshots/${name}.png`);
}

async function walkThroughLab(browser) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 720 }, reducedMotion: "reduce" });
  await writeFile(join(FOLDER, "lab-walkthrough.png"), await labWalkthrough(await context.newPage(), URL));
  await context.close();
  console.log("public/screenshots/lab-walkthrough.png");
}

const dataFolder = await mkdtemp(join(tmpdir(), "redlock-console-screenshots-"));
const child = spawn(process.execPath, ["lib/setup/main.mjs", "start"], {
  env: { ...process.env, PORT, REDLOCK_DATA_DIR: dataFolder },
  stdio: ["ignore", "ignore", "inherit"],
});
try {
  await ready();
  await mkdir(FOLDER, { recursive: true });
  const month = { resources: ["billing:close-month"], ttlMs: 1_800_000, waitMs: 20_000, note: "month end" };
  await send("POST", "/api/v1/locks", month);
  await send("POST", "/api/v1/demonstration", { running: true });
  await wait(6000); // the demonstration clients take, extend and forget a few locks
  await send("POST", "/api/v1/cluster/nodes/e/faults", { fault: "stop" });
  await wait(2500);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
    args: ARGS,
  });
  const wide = { width: 1280, height: 860 };
  const narrow = { width: 390, height: 844 };
  const lock = `/locks/${encodeURIComponent("billing:close-month")}`;
  await photograph(browser, { name: "overview-light", path: "/", scheme: "light", ...wide });
  await photograph(browser, { name: "overview-dark", path: "/", scheme: "dark", ...wide });
  await photograph(browser, { name: "locks-light", path: "/locks", scheme: "light", ...wide });
  await photograph(browser, { name: "locks-dark", path: "/locks", scheme: "dark", ...wide });
  await photograph(browser, { name: "locks-narrow", path: "/locks", scheme: "light", ...narrow });
  await photograph(browser, { name: "lock-light", path: lock, scheme: "light", ...wide });
  await photograph(browser, { name: "lock-dark", path: lock, scheme: "dark", ...wide });
  await photograph(browser, { name: "nodes-light", path: "/nodes", scheme: "light", ...wide });
  await photograph(browser, { name: "nodes-dark", path: "/nodes", scheme: "dark", ...wide });
  await photograph(browser, {
    name: "discovery-light",
    path: "/discovery",
    scheme: "light",
    ...wide,
    before: async (page) => {
      await page.getByRole("button", { name: "Sample the nodes" }).click();
      await page.getByText("REDLOCK_KEY_PATTERNS").first().waitFor({ timeout: 20_000 });
    },
  });
  await walkThroughLab(browser);
  await photograph(browser, {
    name: "lab-light",
    path: "/lab?scenario=crash-restart&seed=1&n=5",
    scheme: "light",
    ...wide,
    // The run of the walk-through is still there to be looked at.
    before: async (page) => {
      const run = page.getByRole("region", { name: "Replay" });
      await run.evaluate((element) => element.closest("section[aria-labelledby]")?.scrollIntoView({ block: "start" }));
    },
  });
  await photograph(browser, {
    name: "force-expire-light",
    path: lock,
    scheme: "light",
    ...wide,
    before: async (page) => {
      await page
        .getByRole("button", { name: /force-expire/i })
        .first()
        .click();
      await page.getByRole("dialog").waitFor();
      await wait(800); // the dry run fills the dialog
    },
  });
  await browser.close();
} finally {
  child.kill("SIGTERM");
  await new Promise((resolve) => child.once("exit", resolve));
  await rm(dataFolder, { recursive: true, force: true });
}
