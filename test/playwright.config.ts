import { defineConfig } from "@playwright/test";
import { CHROMIUM_ARGS } from "./support/chromium";

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
