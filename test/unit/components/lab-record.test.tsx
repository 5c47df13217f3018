import { describe, expect, it } from "vitest";
import { recordFile, timelineFile } from "@/components/lab/lab-export";
import { lanesOf } from "@/components/lab/lanes";
import { advanced, nextStop, type Playhead, previousStop, shownMs } from "@/components/lab/playhead";
import { gateOf, runAt, stopsOf } from "@/components/lab/run-at";
import { sceneOf } from "@/components/lab/scene";
import { hexOfHue } from "@/components/lab/svg-text";
import { axisMsOf, timelineOf } from "@/components/lab/timeline";
import { LAB, RUN } from "../../support/lab-page";

const NEVER = Number.POSITIVE_INFINITY;

describe("the playhead", () => {
  const head: Playhead = { mode: "playing", atMs: 1000, speed: 2 };

  it("goes on by the speed, and stops at the end of a run that is over", () => {
    const reach = { edgeMs: 4000, isOn: false, gateMs: NEVER };
    expect(advanced(head, 100, reach)).toEqual({ ...head, atMs: 1200 });
    expect(advanced(head, 5000, reach)).toEqual({ ...head, mode: "paused", atMs: 4000 });
  });

  it("follows a run that is on once it has caught up with it", () => {
    const caught = advanced(head, 5000, { edgeMs: 4000, isOn: true, gateMs: NEVER });
    expect(caught).toEqual({ ...head, mode: "following", atMs: 4000 });
    expect(advanced(caught, 100, { edgeMs: 4100, isOn: true, gateMs: NEVER }).atMs).toBe(4100);
  });

  it("waits at an open question, and plays on from there, not from the present", () => {
    const following: Playhead = { mode: "following", atMs: 3000, speed: 1 };
    const late = advanced(following, 100, { edgeMs: 3100, isOn: true, gateMs: 2900 });
    expect(late).toEqual({ mode: "playing", atMs: 2900, speed: 1 });
    expect(advanced(late, 1000, { edgeMs: 4000, isOn: true, gateMs: 2900 }).atMs).toBe(2900);
    expect(advanced(late, 500, { edgeMs: 4000, isOn: true, gateMs: NEVER }).atMs).toBe(3400);
    expect(shownMs({ ...head, atMs: 9000 }, { edgeMs: 4000, isOn: true, gateMs: 2900 })).toBe(2900);
  });

  it("does not move while it is paused", () => {
    const paused: Playhead = { ...head, mode: "paused" };
    expect(advanced(paused, 5000, { edgeMs: 9000, isOn: true, gateMs: NEVER })).toBe(paused);
  });

  it("steps over what only the nodes were seen to do", () => {
    expect(stopsOf(RUN)).toEqual([100, 200, 450, 500, 501]);
    expect([nextStop([100, 200], 100, 400), nextStop([100, 200], 200, 400)]).toEqual([200, 400]);
    expect([previousStop([100, 200], 200), previousStop([100, 200], 100)]).toEqual([100, 0]);
  });
});

describe("a run at a moment", () => {
  it("has nothing of what came later", () => {
    const early = runAt(RUN, 450);
    expect(early).toMatchObject({ state: "playing", tookMs: 450, checks: [], answers: [], overlaps: [] });
    expect(early.claims.map(({ id }) => id)).toEqual(["A:1"]);
    expect(early.events).toEqual(RUN.events.slice(0, 9));
    expect(runAt(RUN, 0).state).toBe("starting");
    expect(runAt(RUN, RUN.tookMs)).toBe(RUN);
  });

  it("is asked about just before the first event that bears the label", () => {
    const questions = LAB.scenarios.flatMap((scenario) => scenario.questions);
    expect(gateOf(RUN.events, questions, () => false)?.atMs).toBeCloseTo(200, 1);
    expect(runAt(RUN, gateOf(RUN.events, questions, () => false)?.atMs ?? 0).events).toHaveLength(5);
    expect(gateOf(RUN.events, questions, () => true)).toBeNull();
    expect(gateOf(RUN.events.slice(0, 5), questions, () => false)).toBeNull();
  });
});

describe("the scene", () => {
  it("shows a request under way before its replies are known", () => {
    expect(sceneOf(RUN, 95)).toMatchObject({
      clients: [{ exchange: { about: "acquire lab:door", hasReplies: false }, beliefs: [] }, { exchange: null }],
      wires: { wires: [{ client: 0, node: 0, tone: "asked" }], links: [] },
    });
    expect(sceneOf(RUN, 100).wires.wires).toEqual([{ client: 0, node: 0, tone: "yes" }]);
    expect(sceneOf(RUN, 2600).wires.wires).toEqual([]);
  });

  it("puts what a client believes beside what the nodes have", () => {
    const beliefAt = (atMs: number) => sceneOf(RUN, atMs).clients[0]?.beliefs[0];
    expect(beliefAt(100)).toEqual({ resource: "lab:door", holder: "11111111", untilMs: 6000, left: 1, heldOn: 0 });
    expect(beliefAt(150)).toMatchObject({ untilMs: 6000, heldOn: 1 });
    expect(beliefAt(3050)).toMatchObject({ left: 0.5, heldOn: 0 });
  });
});

describe("an export", () => {
  const scenario = LAB.scenarios[1];
  if (scenario === undefined) throw new Error("no scenario");

  it("as JSON is the whole record", () => {
    const { name, text } = recordFile(RUN);
    expect(name).toBe("redlock-lab-crash-restart-5-masters-seed-7.json");
    expect(JSON.parse(text)).toMatchObject({ version: 1, run: RUN });
  });

  it("as SVG is well-formed, stands alone, and says what was played and what came of it", () => {
    const tricky = { ...scenario, title: 'Crash & <restart> "again"' };
    const { text } = timelineFile(RUN, tricky);
    const document = new DOMParser().parseFromString(text, "image/svg+xml");
    expect(document.querySelector("parsererror")).toBeNull();
    const written = [...document.querySelectorAll("text")].map(({ textContent }) => textContent);
    expect(written[0]).toBe('Crash & <restart> "again" (5 masters, seed 7)');
    expect(written.join("\n")).toContain("✕ With the guard no two did: no");
    expect(written).toEqual(expect.arrayContaining(["client A", "client B", "node a", "two holders", "✕"]));
    expect(text).not.toMatch(/var\(|oklch|class=/);
  });

  it("has the colour of a token as the page shows it", () => {
    // As Chromium draws oklch(0.56 0.15 262), and so on.
    expect([262, 52, 168].map(hexOfHue)).toEqual(["#4170cb", "#b65500", "#008f63"]);
  });
});

describe("the timeline", () => {
  it("ends at the moment, on an axis that does not grow with every event", () => {
    expect([1, 4999, 5001, 12_000].map((ms) => axisMsOf(ms, true))).toEqual([5000, 5000, 10_000, 20_000]);
    expect(axisMsOf(12_100, false)).toBe(12_500);
    const { shapes, summary } = timelineOf(lanesOf(runAt(RUN, 450)), 5000);
    expect(summary).toContain("never two holders");
    const rightmost = Math.max(...shapes.map((shape) => (shape.kind === "rect" ? shape.x + shape.width : 0)));
    expect(rightmost).toBeCloseTo(92 + (886 * 450) / 5000, 0);
  });
});
