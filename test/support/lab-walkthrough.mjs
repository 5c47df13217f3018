// A walk through one run of the Quorum Lab for the README: chosen, played, foreseen, stepped through and judged.

import { animatedPng } from "./animated-png.mjs";

const SHORT_MS = 900;
const LONG_MS = 2600;
const RUN_MS_MAX = 90_000;
const STEPS_MAX = 12;

/**
 * @param {import("@playwright/test").Page} page of a console that plays nothing
 * @param {string} url of the console
 * @returns {Promise<Buffer>} an animated PNG
 */
export async function labWalkthrough(page, url) {
  const frames = [];
  const shoot = async (holdMs) => frames.push({ png: await page.screenshot(), holdMs });
  const press = (name) => page.getByRole("button", { name, exact: true }).click();
  await page.goto(`${url}/lab?scenario=crash-restart&seed=1&n=5&predict=1`);
  await page.getByRole("button", { name: /^Run/ }).waitFor();
  await shoot(LONG_MS);
  await page.getByRole("button", { name: /^Run/ }).click();
  const question = page.getByRole("region", { name: "Prediction" });
  await question.waitFor({ timeout: RUN_MS_MAX });
  // The rest is a replay, so that no frame waits for the run.
  await page.getByRole("button", { name: /^Run again/ }).waitFor({ timeout: RUN_MS_MAX });
  const narration = page.getByRole("status").first();
  await narration.evaluate((element) => element.closest("section")?.scrollIntoView({ block: "start" }));
  await shoot(LONG_MS);
  await question.getByRole("button", { name: "Yes", exact: true }).click();
  await press("To the end");
  await question.getByRole("button", { name: "Yes: two holders" }).waitFor();
  await shoot(LONG_MS);
  await question.getByRole("button", { name: "Yes: two holders" }).click();
  for (let steps = 0; steps < STEPS_MAX; steps += 1) {
    await press("Step forward");
    const isTold = (await narration.textContent())?.includes("two holders") ?? false;
    await shoot(isTold ? LONG_MS : SHORT_MS);
    if (isTold) break;
  }
  await press("To the end");
  await question.waitFor();
  await shoot(LONG_MS);
  await question.getByRole("button", { name: "When C's has ended" }).click();
  await press("To the end");
  const score = page.getByRole("region", { name: "Score" });
  await score.waitFor();
  await shoot(LONG_MS);
  await score.evaluate((element) => element.scrollIntoView({ block: "end" }));
  await shoot(2 * LONG_MS);
  return animatedPng(frames);
}
