import type { CDPSession, Page } from "@playwright/test";
import { type BenchRow, percentile, rounded, sleep } from "./bench";

const TURNS = 60;
/** As often as a hand turns a wheel. */
const TURN_MS = 33;
/** A notch of an ordinary wheel, and a hand in a hurry. */
const NOTCH_PX = 120;
const HURRY_PX = 400;
const ROUNDS = 3;

/** Turns the wheel over a list at its top: each turn drawn to its end, for what it costs, and at a hand's speed, for what is seen. */
export async function scrolling(page: Page): Promise<BenchRow[]> {
  const session = await page.context().newCDPSession(page);
  // Processor time: on a machine that does other things as well, the clock on the wall tells of those.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.mouse.move(640, 500);
  const rounds = async <Seen extends Readonly<Record<string, number>>>(scroll: () => Promise<Seen>) => {
    const seen: Seen[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await toTop(page);
      seen.push(await scroll());
    }
    const median = (name: string) =>
      rounded(
        percentile(
          seen.map((one) => one[name] ?? Number.NaN),
          0.5,
        ),
      );
    return Object.fromEntries(Object.keys(seen[0] ?? {}).map((name) => [name, median(name)]));
  };
  return [
    { what: `a turn of the wheel, ${NOTCH_PX} px`, ...(await rounds(() => costOfTurns(page, session))) },
    { what: `${NOTCH_PX} px each ${TURN_MS} ms`, ...(await rounds(() => framesSeen(page, session, NOTCH_PX))) },
    { what: `${HURRY_PX} px each ${TURN_MS} ms`, ...(await rounds(() => framesSeen(page, session, HURRY_PX))) },
  ];
}

async function toTop(page: Page): Promise<void> {
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.getByRole("link", { name: "many:000001", exact: true }).waitFor();
  await sleep(500);
}

function turn(session: CDPSession, px: number): Promise<unknown> {
  return session.send("Input.dispatchMouseEvent", { type: "mouseWheel", x: 640, y: 500, deltaX: 0, deltaY: px });
}

/** Processor time of the page's main thread for each turn, milliseconds. The next waits for two frames: no two are drawn as one. */
async function costOfTurns(page: Page, session: CDPSession) {
  const drawn = () =>
    page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const before = await metrics(session);
  for (let count = 0; count < TURNS; count += 1) {
    await turn(session, NOTCH_PX);
    await drawn();
  }
  const after = await metrics(session);
  const each = (...names: readonly string[]) =>
    names.reduce((sum, name) => sum + (((after.get(name) ?? 0) - (before.get(name) ?? 0)) * 1000) / TURNS, 0);
  return {
    "CPU ms": each("TaskDuration"),
    "script ms": each("ScriptDuration"),
    "style and layout ms": each("LayoutDuration", "RecalcStyleDuration"),
  };
}

/** The time between frames, milliseconds, and how many of them show a row that the server has not brought yet. */
async function framesSeen(page: Page, session: CDPSession, px: number) {
  const watched = page.evaluate(
    (endMs) =>
      new Promise<{ gaps: number[]; missing: number }>((resolve) => {
        const gaps: number[] = [];
        const startedAt = performance.now();
        let before = startedAt;
        let missing = 0;
        const look = (now: number) => {
          gaps.push(now - before);
          before = now;
          const row = document.elementFromPoint(640, 500)?.closest("tr");
          if (row?.querySelector("[data-row-link]") == null) missing += 1;
          if (now - startedAt < endMs) requestAnimationFrame(look);
          else resolve({ gaps: gaps.slice(1), missing });
        };
        requestAnimationFrame(look);
      }),
    TURNS * TURN_MS,
  );
  const startedAt = performance.now();
  const sent: Promise<unknown>[] = [];
  for (let count = 1; count <= TURNS; count += 1) {
    sent.push(turn(session, px));
    await sleep(Math.max(0, startedAt + count * TURN_MS - performance.now()));
  }
  await Promise.all(sent);
  const { gaps, missing } = await watched;
  return {
    "frame p50 ms": percentile(gaps, 0.5),
    "frame p95 ms": percentile(gaps, 0.95),
    "frames without rows %": (100 * missing) / gaps.length,
  };
}

/** What the page has used so far, seconds, and keeps, bytes. */
export async function metrics(session: CDPSession): Promise<ReadonlyMap<string, number>> {
  const { metrics: all } = await session.send("Performance.getMetrics");
  return new Map(all.map(({ name, value }) => [name, value]));
}
