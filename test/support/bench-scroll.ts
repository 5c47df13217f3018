import type { CDPSession, Page } from "@playwright/test";
import { type BenchRow, percentile, rounded, sleep } from "./bench";

const TURNS = 60;
/** As often as a hand turns a wheel, and twice: notches of an ordinary wheel, and a page at a time. */
const TURN_MS = 33;
const WHEELS = [
  ["a notch (120 px)", 120],
  ["400 px", 400],
] as const;
const ROUNDS = 3;

/** Turns the wheel over a list at its top, in several ways. */
export async function scrolling(page: Page): Promise<BenchRow[]> {
  const session = await page.context().newCDPSession(page);
  // Processor time: on a machine that does other things as well, the clock on the wall tells of those.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.mouse.move(640, 500);
  const rows: BenchRow[] = [];
  for (const [label, px] of WHEELS) {
    const rounds: Scrolled[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await scrolled(page, session, px));
    const median = (name: keyof Scrolled) =>
      rounded(
        percentile(
          rounds.map((one) => one[name]),
          0.5,
        ),
      );
    rows.push({
      what: `the wheel, ${label} each ${TURN_MS} ms`,
      "frame p50 ms": median("p50"),
      "frame p95 ms": median("p95"),
      "CPU a turn ms": median("taskMs"),
      "of it script ms": median("scriptMs"),
      "style and layout ms": median("layoutMs"),
      "turns with rows missing %": median("missing"),
    });
  }
  return rows;
}

interface Scrolled {
  readonly p50: number;
  readonly p95: number;
  readonly taskMs: number;
  readonly scriptMs: number;
  readonly layoutMs: number;
  readonly missing: number;
}

/** Turns the wheel from the top of the list. Processor times are the page's main thread's, for each turn. */
async function scrolled(page: Page, session: CDPSession, px: number): Promise<Scrolled> {
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.getByRole("link", { name: "many:000001", exact: true }).waitFor();
  await sleep(500);
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
  const before = await metrics(session);
  const startedAt = performance.now();
  const sent: Promise<unknown>[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const event = { type: "mouseWheel", x: 640, y: 500, deltaX: 0, deltaY: px } as const;
    sent.push(session.send("Input.dispatchMouseEvent", event));
    await sleep(Math.max(0, startedAt + (turn + 1) * TURN_MS - performance.now()));
  }
  await Promise.all(sent);
  const { gaps, missing } = await watched;
  const after = await metrics(session);
  const each = (name: string) => (((after.get(name) ?? 0) - (before.get(name) ?? 0)) * 1000) / TURNS;
  return {
    p50: percentile(gaps, 0.5),
    p95: percentile(gaps, 0.95),
    taskMs: each("TaskDuration"),
    scriptMs: each("ScriptDuration"),
    layoutMs: each("LayoutDuration") + each("RecalcStyleDuration"),
    missing: (100 * missing) / gaps.length,
  };
}

/** What the page has used so far, seconds, and keeps, bytes. */
export async function metrics(session: CDPSession): Promise<ReadonlyMap<string, number>> {
  const { metrics: all } = await session.send("Performance.getMetrics");
  return new Map(all.map(({ name, value }) => [name, value]));
}
