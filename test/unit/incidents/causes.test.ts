import { beforeEach, describe, expect, test } from "vitest";
import { IncidentRig } from "../../support/incident-rig";

let rig: IncidentRig;
beforeEach(() => {
  rig = new IncidentRig();
});

/** All five nodes hold A until 40 s on the test's clock; it is 10 s now. */
const HELD = "A@40000 A@40000 A@40000 A@40000 A@40000";

/** The second token is seen, and seen again at another look. */
function seeTwice(text: string): void {
  rig.see(text);
  rig.pass(100);
  rig.see(text);
}

describe("an incident, with its cause", () => {
  test("nodes restarted empty: both tokens, the overlap, the timeline, and what to do", () => {
    rig.see("A@40000 A@40000 A@40000 - -");
    rig.pass(2000);
    rig.see("A@40000 A@40000 ?A@40000 - -");
    rig.say("c", () => ({ runId: "c2" }));
    rig.pass(500);
    seeTwice("A@40000 A@40000 B@50000 B@50000 B@50000");
    expect(rig.raised).toEqual([]); // nobody is alarmed before the nodes have said what happened to them
    rig.pass(2500);
    expect(rig.list()).toEqual(rig.raised);
    const [incident] = rig.raised;
    expect(incident).toMatchObject({
      lock: { id: "orders%3A42", resource: "orders:42" },
      first: { fingerprint: "A" },
      second: { fingerprint: "B" },
      cause: { kind: "restarted", text: "Node c restarted (another run_id) and came back without the key." },
      nodes: [
        { node: "a", fate: "kept", at: null },
        { node: "b", fate: "kept", at: null },
        { node: "c", fate: "restarted" },
      ],
    });
    // A had 28 s left when it was read last, less 1 % and 2 ms; B came at 12.5 s.
    expect(incident?.overlapMs).toBe(40_000 - 282 - 12_500);
    expect(incident?.cause.nextStep).toContain("REDLOCK_GUARD");
    expect(incident?.timeline.map(({ text }) => text)).toEqual([
      "A was seen first.",
      "On c it was lost with a restart.",
      "B holds it on 3 of 5 nodes; a, b still had A.",
      "The promise given to A ends.",
    ]);
  });

  test("nodes flushed while they went on running", () => {
    rig.see(HELD);
    rig.pass(2000);
    rig.say("cde", () => ({ flushes: 1 }));
    seeTwice("A@40000 A@40000 B@50000 B@50000 B@50000");
    rig.pass(2500);
    expect(rig.raised).toMatchObject([
      { cause: { kind: "flushed", text: expect.stringContaining("Nodes c, d, e were") } },
    ]);
  });

  test("flushed everywhere: a second look is asked for once a node says so, not at every hand-over", () => {
    rig.see(HELD);
    rig.pass(2000);
    rig.see("B@50000 B@50000 B@50000 B@50000 B@50000");
    expect([...rig.watch.wanted()]).toEqual([]);
    rig.pass(500);
    rig.say("abcde", () => ({ flushes: 1 }));
    rig.pass(500);
    expect([...rig.watch.wanted()]).toEqual(["orders:42"]);
    rig.see("B@50000 B@50000 B@50000 B@50000 B@50000");
    expect([...rig.watch.wanted()]).toEqual([]);
    rig.pass(2000);
    expect(rig.raised).toMatchObject([{ cause: { kind: "flushed" } }]);
  });

  test("taken away by an operator, whose name and reason are on the card", () => {
    rig.see(HELD);
    rig.pass(2000);
    rig.see("- - - - -");
    rig.force("A", "abcde");
    rig.pass(8000);
    seeTwice("B@50000 B@50000 B@50000 B@50000 B@50000");
    rig.pass(2500);
    expect(rig.raised).toMatchObject([
      {
        cause: { kind: "forced", text: expect.stringContaining("Force-expired by ann through this console: “stuck”.") },
      },
    ]);
  });

  test("expiry shortened, by how much and to what", () => {
    rig.see(HELD);
    rig.pass(2000);
    rig.see("A@40000 A@40000 A@13000 A@13000 A@13000");
    rig.pass(1500);
    seeTwice("A@40000 A@40000 B@50000 B@50000 B@50000");
    rig.pass(2500);
    expect(rig.raised).toMatchObject([
      { cause: { kind: "shortened", text: "The expiry was shortened on c, d, e by 27.0 s, to 1.0 s." } },
    ]);
  });

  test("a clock put forward, though its first sign is a shorter expiry", () => {
    rig.see(HELD);
    rig.pass(2000);
    rig.see("A@40000 A@40000 A@20000 A@20000 A@20000");
    rig.pass(500);
    rig.say("cde", () => ({ clockOffsetMs: 20_000 }));
    rig.pass(8500);
    seeTwice("A@40000 A@40000 B@50000 B@50000 B@50000");
    rig.pass(2500);
    expect(rig.raised).toMatchObject([
      { cause: { kind: "clock", text: "The clock of c, d, e was put forward by 20.0 s, so keys ended early there." } },
    ]);
  });

  test("a lock without expiry was promised for ever", () => {
    rig.see("A A A A A");
    rig.pass(2000);
    rig.say("cde", () => ({ flushes: 1 }));
    seeTwice("A A B@50000 B@50000 B@50000");
    rig.pass(2500);
    expect(rig.list()).toMatchObject([{ overlapMs: null, first: { promisedUntil: null }, cause: { kind: "flushed" } }]);
  });

  test("two causes: the one that took most leads, the other is said", () => {
    rig.see(HELD);
    rig.pass(2000);
    rig.say("de", () => ({ flushes: 3 }));
    rig.say("c", () => ({ runId: "c2" }));
    seeTwice("A@40000 A@40000 B@50000 B@50000 B@50000");
    rig.pass(2500);
    const [incident] = rig.raised;
    expect(incident?.cause.kind).toBe("flushed");
    expect(incident?.cause.text).toContain("Also: node c restarted");
  });

  test("raised once, and the list is bounded", () => {
    for (let index = 0; index < 205; index += 1) {
      const resource = `r:${index}`;
      rig.see("A@9000000 A@9000000 A@9000000 A@9000000 A@9000000", resource);
      rig.pass(2000);
      rig.say("cde", ({ flushes }) => ({ flushes: (flushes ?? 0) + 1 }));
      const after = "A@9000000 A@9000000 B@9000000 B@9000000 B@9000000";
      rig.see(after, resource);
      rig.pass(100);
      rig.see(after, resource);
      rig.pass(2500);
      rig.see(after, resource);
    }
    expect(rig.raised).toHaveLength(205);
    expect(rig.list()).toHaveLength(200);
    expect(rig.list()[0]?.lock.resource).toBe("r:204");
  });
});
