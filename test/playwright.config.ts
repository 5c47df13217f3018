import { defineConfig } from "@playwright/test";

/** Chromium refuses its own sandbox as root and in most containers; without the other flags it tries to reach the internet. */
const CHROMIUM_ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export default defineConfig({
  testDir: "./e2e",
  outputDir: "../test-results",
  // One console with five redis-servers and one browser at a time: that is what two cores carry.
  workers: 1,
  fullyParallel: false,
  timeout: 330_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  use: {
    launchOptions: { executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium", args: CHROMIUM_ARGS },
    viewport: { width: 1280, height: 900 },
    screenshot: "only-on-failure",
    trace: "retain-on-failure",
  },
});
