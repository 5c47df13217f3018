import { beforeEach, describe, expect, test, vi } from "vitest";
import { IncidentWatch } from "@/lib/incidents";
import { Ledger } from "@/lib/inventory/ledger";
import type { NodeStand } from "@/lib/inventory/sighting";
import type { ViewContext } from "@/lib/inventory/view";
import { monotonicMs, nodeId } from "@/lib/redlock";

const NODES = ["a", "b", "c", "d", "e"];

let ledger: Ledger;
let now: number;
beforeEach(() => {
  ledger = new Ledger({ listsEverything: true, maxTtlMs: null, incidents: null });
  now = 1000;
});

/** Per node: `token@end`, `token` without expiry, `-` free, `?` silent. */
function stands(text: string): NodeStand[] {
  return text.split(" ").map((word, index) => {
    const [token = "", end] = word.split("@");
    const seenAt = monotonicMs(now);
    const remainingMs = end === undefined ? null : Number(end) - now;
    const times = { remainingMs, sentAt: seenAt, receivedAt: seenAt };
    const sighting = { type: "string", fingerprint: token, recognition: null, ...times };
    const isThere = word !== "-" && word !== "?";
    return {
      node: nodeId(NODES[index] ?? ""),
      sighting: isThere ? sighting : null,
      silent: word === "?" ? "no answer" : null,
      roundTripMs: 1,
    };
  });
}

function judge(text: string, isCertain = false, resource = "r") {
  return judgeAgain(stands(text), {}, isCertain, resource);
}

/** Judges stands that were read before, as of now. */
function judgeAgain(known: readonly NodeStand[], more: Partial<ViewContext> = {}, isCertain = true, resource = "r") {
  const context = { now: monotonicMs(now), readAt: 5000 + now, votingNodes: 5, isQuarantined: () => false, ...more };
  return ledger.judge(resource, known, context, isCertain);
}

describe("what is published", () => {
  test("a new lock at once, and then no mere countdown", () => {
    expect(judge("t@9000 t@9000 t@9000 t@9000 t@9001")).toMatchObject({ kind: "changed", view: { verdict: "held" } });
    now += 2000;
    expect(judge("t@9000 t@9002 t@8999 t@9000 t@9001").kind).toBe("same");
  });

  test("a renewal, once, also when nodes follow one after another", () => {
    judge("t@5000 t@5000 t@5000 t@5000 t@5000");
    now += 1000;
    expect(judge("t@8000 t@8000 t@5000 t@5000 t@5000")).toMatchObject({ kind: "changed", view: { renewals: 1 } });
    expect(judge("t@8000 t@8001 t@8002 t@8000 t@8000")).toMatchObject({ kind: "changed", view: { renewals: 1 } });
    expect(ledger.history.timelineOf("r").map(({ kind }) => kind)).toEqual(["seen", "renewed"]);
  });

  test("an acquire that reaches one node after another, which is no renewal", () => {
    judge("t@9000 t@9000 t@9000 - -", true);
    expect(judge("t@9000 t@9000 t@9000 t@9600 t@9700")).toMatchObject({ kind: "changed", view: { renewals: 0 } });
  });

  test("a shortened expiry, which is no renewal", () => {
    judge("t@9000 t@9000 t@9000 t@9000 t@9000");
    expect(judge("t@4000 t@4000 t@4000 t@4000 t@4000")).toMatchObject({ kind: "changed", view: { renewals: 0 } });
  });

  test("a hand-over, which begins a new age", () => {
    judge("t@9000 t@9000 t@9000 t@9000 t@9000");
    now += 500;
    const next = judge("u@9000 u@9000 u@9000 u@9000 u@9000");
    expect(next).toMatchObject({ kind: "changed", view: { firstSeenAt: 5000 + now, renewals: 0 } });
    expect(ledger.history.timelineOf("r").at(-1)?.kind).toBe("handed_over");
  });

  test("an alarming verdict only when a second look agrees", () => {
    expect(judge("t@9000 t@9000 - - -").kind).toBe("doubtful");
    expect([...ledger.resources()]).toEqual([]);
    now += 60;
    expect(judge("t@9000 t@9000 - - -")).toMatchObject({ kind: "changed", view: { verdict: "leftover" } });
  });

  test("no alarm for an acquire that was under way", () => {
    expect(judge("t@9000 t@9000 - - -").kind).toBe("doubtful");
    now += 60;
    expect(judge("t@9000 t@9000 t@9000 t@9000 t@9000")).toMatchObject({ view: { verdict: "held" } });
  });

  test("a resource that never comes to rest, after a while", () => {
    const words = ["t@9000 t@9000 - - -", "t@9000 t@9000 u@9000 - -"];
    const kinds = Array.from({ length: 60 }, (_, index) => {
      now += 20;
      return judge(words[index % 2] ?? "").kind;
    });
    expect(kinds).toContain("changed");
  });

  test("what the console itself did, without a second look", () => {
    expect(judge("t@9000 t@9000 - - -", true)).toMatchObject({ kind: "changed", view: { verdict: "leftover" } });
  });

  test("silent nodes, with what the others say", () => {
    judge("t@9000 t@9000 t@9000 t@9000 t@9000");
    expect(judge("t@9000 t@9000 ? ? ?")).toMatchObject({ view: { verdict: "possibly_held", votes: 2 } });
  });

  test("the end: released before its time, or over", () => {
    judge("t@9000 t@9000 t@9000 t@9000 t@9000");
    expect(judge("- - - - -")).toEqual({ kind: "removed", id: "r" });
    expect(ledger.history.timelineOf("r").at(-1)?.text).toContain("released or deleted");
    judge("u@9000 u@9000 u@9000 u@9000 u@9000");
    now = 9001;
    judge("- - - - -");
    expect(ledger.history.timelineOf("r").at(-1)?.text).toContain("time was over");
  });

  test("a moment's silence of most nodes at once, but not in the timeline; a key that is gone is there", () => {
    const all = "t@9000 t@9000 t@9000 t@9000 t@9000";
    judge(all);
    const silent = stands(all).map((stand, index) => (index < 3 ? { ...stand, silent: "silent for 96 ms" } : stand));
    now += 100;
    expect(judgeAgain(silent)).toMatchObject({ kind: "changed", view: { verdict: "possibly_held" } });
    now += 100;
    expect(judge(all)).toMatchObject({ kind: "changed", view: { verdict: "held" } });
    now += 2500;
    expect([...ledger.due(now, 5000 + now)]).toEqual([]);
    judge("t@9000 t@9000 t@9000 - -", true);
    const texts = ledger.history.timelineOf("r").map(({ text }) => text);
    expect(texts).toEqual(["Seen, held on 5 of 5 nodes.", "Reads at risk on 3 of 5 nodes, was held."]);
  });

  test("keys that run out one after another are no silence", () => {
    judge("t@9000 t@9000 t@9000 t@4000 t@4000");
    now = 4500;
    judge("t@9000 t@9000 t@9000 t@4000 t@4000", true);
    expect(ledger.history.timelineOf("r").at(-1)?.text).toBe("Reads at risk on 3 of 5 nodes, was held.");
  });

  test("nothing that no layout knows, unless everything is to be listed", () => {
    ledger = new Ledger({ listsEverything: false, maxTtlMs: null, incidents: null });
    expect(judge("t - - - -").kind).toBe("same");
    expect(judge("t@9000 t@9000 t@9000 - -", true)).toMatchObject({ view: { layout: { id: "redlock-unknown" } } });
  });
});

describe("what nobody touched", () => {
  let known: NodeStand[];
  beforeEach(() => {
    known = stands("t@9000 t@9000 t@9000 t@9000 t@8800");
    judgeAgain(known);
    now += 500;
  });

  test("is not judged again, however often its nodes' states change", () => {
    const observe = vi.spyOn(ledger.history, "observe");
    for (let look = 0; look < 10; look += 1) {
      now += 100;
      const again = known.map((stand) => ({ ...stand, roundTripMs: look }));
      expect(judgeAgain(again)).toEqual({ kind: "same" });
    }
    expect(observe).not.toHaveBeenCalled();
    judgeAgain(stands("t@9000 t@9000 t@9000 t@9000 t@8800"));
    expect(observe).toHaveBeenCalledTimes(1);
  });

  test("is another once the time of a key is over", () => {
    now = 8801;
    expect(judgeAgain(known)).toMatchObject({ kind: "changed", view: { votes: 4 } });
    now = 9001;
    expect(judgeAgain(known)).toMatchObject({ kind: "removed" });
  });

  test("is another when a node's word no longer counts, and when it does again", () => {
    const silent = known.map((stand, index) => (index === 1 ? { ...stand, silent: "no answer" } : stand));
    expect(judgeAgain(silent)).toMatchObject({ kind: "changed", view: { votes: 4 } });
    expect(judgeAgain(known)).toMatchObject({ kind: "changed", view: { votes: 5 } });
  });

  test("is another when a node is in quarantine, or too few vote to extend it", () => {
    const quarantined = { isQuarantined: (node: string) => node === "b" };
    expect(judgeAgain(known, quarantined)).toMatchObject({ kind: "changed", view: { verdict: "held" } });
    expect(judgeAgain(known, quarantined)).toEqual({ kind: "same" });
    expect(judgeAgain(known, { votingNodes: 2 })).toMatchObject({ kind: "changed", view: { verdict: "at_risk" } });
    expect(judgeAgain(known, { votingNodes: 4 })).toMatchObject({ kind: "changed", view: { verdict: "held" } });
  });

  test("is judged when time has added to the evidence", () => {
    for (let count = 0; count < 5; count += 1) {
      judge("t@900000 t@900000 t@900000 t@900000 t@900000", true, "r:1");
      now += 100;
      judge("- - - - -", true, "r:1");
    }
    const long = stands("u@900000 u@900000 u@900000 u@900000 u@900000");
    judgeAgain(long, {}, true, "r:1");
    now += 1100;
    const judged = judgeAgain(long, {}, true, "r:1");
    expect(judged).toMatchObject({ kind: "changed", view: { evidence: [{ kind: "held_long" }] } });
  });

  test("is judged while an incident is looked into, and only then", () => {
    const incidents = new IncidentWatch({ nodes: () => [], since: 0 });
    ledger = new Ledger({ listsEverything: true, maxTtlMs: null, incidents });
    const observe = vi.spyOn(incidents, "observe");
    judgeAgain(known);
    judgeAgain(known);
    judge("t@9000 t@9000 t@9000 t@9000 t@8800");
    expect(observe).not.toHaveBeenCalled();
    const lost = stands("t@9000 t@9000 t@9000 t@9000 -");
    judgeAgain(lost);
    judgeAgain(lost);
    expect(observe).toHaveBeenCalledTimes(2);
  });
});
