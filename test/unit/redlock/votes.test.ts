import { describe, expect, test } from "vitest";
import { quorumOf } from "@/lib/redlock";
import { engineOver, words } from "../../support/redlock-rig";
import { type Behaviour, ScriptedNode } from "./scripted-node";

const BEHAVIOURS: readonly Behaviour[] = ["grant", "refuse", "fault", "silent"];

async function acquireOver(behaviours: readonly Behaviour[]) {
  const nodes = behaviours.map((behaviour, index) => new ScriptedNode(`n${index}`, behaviour));
  const { engine, clock } = engineOver(nodes);
  const outcome = await clock.until(engine.tryAcquire(["r"], 1000));
  return { nodes, outcome, clock, tookMs: clock.now() };
}

/** Votes come in node order, silence after all of them; faults that alone rule out a majority are the reason, else the holders. */
function refusalOf(behaviours: readonly Behaviour[]): "held_by_other" | "quorum_unreachable" {
  const spare = behaviours.length - quorumOf(behaviours.length);
  let faults = 0;
  let refusals = 0;
  for (const behaviour of behaviours) {
    if (behaviour === "fault") faults += 1;
    if (behaviour === "refuse") refusals += 1;
    if (faults + refusals > spare) return faults > spare ? "quorum_unreachable" : "held_by_other";
  }
  const silent = behaviours.filter((behaviour) => behaviour === "silent").length;
  return faults + silent > spare ? "quorum_unreachable" : "held_by_other";
}

describe.each([1, 2, 3, 4, 5])("every combination of votes of %i nodes", (membership) => {
  const quorum = quorumOf(membership);

  test("is acquired exactly with a quorum of grants, refused for the right reason, released everywhere, and never late", async () => {
    for (const behaviours of words(BEHAVIOURS, membership)) {
      const name = behaviours.join(" ");
      const count = (kind: Behaviour): number => behaviours.filter((each) => each === kind).length;
      const { nodes, outcome, tookMs } = await acquireOver(behaviours);

      expect(outcome.kind, name).toBe(count("grant") >= quorum ? "acquired" : "not_acquired");
      if (outcome.kind === "not_acquired") expect(outcome.refusal, name).toBe(refusalOf(behaviours));

      const releases = outcome.kind === "acquired" ? 0 : 1;
      for (const node of nodes) {
        expect(
          node.released.map(({ token }) => token),
          name,
        ).toEqual(node.acquired.slice(0, releases));
      }

      const isDecidedBySpeakers = count("grant") >= quorum || count("refuse") + count("fault") > membership - quorum;
      expect(tookMs, name).toBe(isDecidedBySpeakers ? 0 : 50);
    }
  });

  test("shows one ballot per configured node, pending only while a node may still answer in time", async () => {
    for (const behaviours of words(BEHAVIOURS, membership)) {
      const name = behaviours.join(" ");
      const { outcome, clock, nodes } = await acquireOver(behaviours);
      expect(
        outcome.ballots.map(({ node }) => node),
        name,
      ).toEqual(nodes.map(({ id }) => id));
      const settled = await clock.until(outcome.settled());
      const kinds = { grant: "granted", refuse: "refused", fault: "error", silent: "timeout" } as const;
      expect(
        settled.map(({ vote }) => vote.kind),
        name,
      ).toEqual(behaviours.map((behaviour) => kinds[behaviour]));
      expect(clock.now(), name).toBeLessThanOrEqual(50);
    }
  });
});

test.each([6, 7])("grants and refusals of %i nodes decide like the tally", async (membership) => {
  for (const behaviours of words<Behaviour>(["grant", "refuse"], membership)) {
    const { outcome, tookMs } = await acquireOver(behaviours);
    const grants = behaviours.filter((behaviour) => behaviour === "grant").length;
    expect(outcome.kind, behaviours.join(" ")).toBe(grants >= quorumOf(membership) ? "acquired" : "not_acquired");
    expect(tookMs).toBe(0);
  }
});

test("a quorum above the majority needs so many grants", async () => {
  const nodes = ["grant", "grant", "grant", "refuse", "refuse"].map(
    (behaviour, index) => new ScriptedNode(`n${index}`, behaviour as Behaviour),
  );
  const { engine, clock } = engineOver(nodes, { settings: { quorum: 4 } });
  expect((await clock.until(engine.tryAcquire(["r"], 1000))).kind).toBe("not_acquired");
});

test("a node that rejects or throws against its promise costs one vote, not the process", async () => {
  const nodes = [0, 1, 2].map((index) => new ScriptedNode(`n${index}`, "grant"));
  const [first, second] = nodes;
  Object.assign(first ?? {}, { acquire: () => Promise.reject(new Error("no such command")) });
  Object.assign(second ?? {}, {
    acquire: () => {
      throw new Error("not connected");
    },
  });
  const { engine, clock } = engineOver(nodes);
  const outcome = await clock.until(engine.tryAcquire(["r"], 1000));
  expect(outcome.ballots.map(({ vote }) => vote)).toContainEqual({ kind: "error", reason: "no such command" });
  expect(outcome.ballots.map(({ vote }) => vote)).toContainEqual({ kind: "error", reason: "not connected" });
});
