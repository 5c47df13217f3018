import { describe, expect, test } from "vitest";
import { checkHistory } from "../../fault/checker";
import type { FaultRecord } from "../../fault/history";
import { describeViolation } from "../../fault/report";
import { isFenced } from "../../fault/worker-task";

const MS = 1000;

/** A lock that lived for no time at all once it was on record, so that only its fence can be wrong. */
function fenced(
  id: string,
  { asked, at, fence, resource = "a" }: { asked: number; at: number; fence?: number; resource?: string },
): readonly FaultRecord[] {
  const times = { askedUs: asked * MS, atUs: at * MS, untilUs: at * MS + 1 };
  return [
    { kind: "grant", id, resource, ...times, ...(fence === undefined ? {} : { fence }) },
    { kind: "end", id, atUs: at * MS },
  ];
}

function kinds(...histories: readonly (readonly FaultRecord[])[]): readonly string[] {
  return checkHistory(histories.flat()).map(({ kind }) => kind);
}

describe("I3: fences of one resource", () => {
  test("that rise are fine", () => {
    expect(
      kinds(fenced("w:0:0", { asked: 0, at: 1, fence: 5 }), fenced("v:0:0", { asked: 2, at: 3, fence: 6 })),
    ).toEqual([]);
  });

  test("that are equal are found, however far apart and in whatever order the files are read", () => {
    const first = fenced("w:0:0", { asked: 0, at: 1, fence: 5 });
    const between = fenced("v:0:0", { asked: 0, at: 2, fence: 4 });
    const second = fenced("v:0:1", { asked: 0, at: 9, fence: 5 });
    const [violation] = checkHistory([...second, ...between, ...first]);
    expect(violation).toMatchObject({ kind: "fence_duplicate", first: { id: "w:0:0" }, second: { id: "v:0:1" } });
  });

  test("that fall although the second was asked for after the first was on record are found", () => {
    const [violation] = checkHistory([
      ...fenced("v:0:0", { asked: 2, at: 3, fence: 4 }),
      ...fenced("w:0:0", { asked: 0, at: 1, fence: 5 }),
    ]);
    expect(violation).toMatchObject({ kind: "fence_order", first: { fence: 5 }, second: { fence: 4 } });
  });

  test("are compared with the highest on record, not with the last", () => {
    const records = [
      fenced("w:0:0", { asked: 0, at: 10, fence: 9 }),
      fenced("w:0:1", { asked: 1, at: 11, fence: 3 }),
      fenced("v:0:0", { asked: 12, at: 13, fence: 5 }),
    ];
    expect(kinds(...records)).toEqual(["fence_order"]);
  });

  test("may come in any order where the second was asked for before the first was on record", () => {
    expect(
      kinds(fenced("w:0:0", { asked: 0, at: 4, fence: 5 }), fenced("v:0:0", { asked: 4, at: 6, fence: 4 })),
    ).toEqual([]);
  });

  test("are no business of other resources, nor of locks without", () => {
    expect(
      kinds(
        fenced("w:0:0", { asked: 0, at: 1, fence: 5 }),
        fenced("v:0:0", { asked: 2, at: 3, fence: 5, resource: "b" }),
        fenced("v:0:1", { asked: 4, at: 5 }),
      ),
    ).toEqual([]);
  });

  test("need not rise over a guess, but for those of one worker, and must before it and behind it", () => {
    const guess = (atMs: number): FaultRecord => ({ kind: "guess", id: "w:guess", atUs: atMs * MS });
    const high = fenced("w:0:0", { asked: 0, at: 1, fence: 9 });
    const low = (id: string) => fenced(id, { asked: 4, at: 5, fence: 8 });
    expect(kinds(high, low("v:0:0"))).toEqual(["fence_order"]);
    expect(kinds(high, [guess(2)], low("v:0:0"))).toEqual([]);
    expect(kinds(high, [guess(2)], fenced("v:0:0", { asked: 4, at: 5, fence: 9 }))).toEqual([]);
    expect(kinds(high, [guess(2)], low("w:1:0"))).toEqual(["fence_order"]);
    expect(kinds([guess(-1)], high, low("v:0:0"), [guess(6)])).toEqual(["fence_order"]);
    const behind = fenced("w:0:1", { asked: 6, at: 7, fence: 7 });
    expect(kinds(high, [guess(2)], low("v:0:0"), behind)).toEqual(["fence_order"]);
    expect(kinds(high, [guess(2)], fenced("v:0:0", { asked: 4, at: 5, fence: 6 }), [guess(6)])).toEqual([]);
  });

  test("are told in words, with the faults around them", () => {
    const faults = [{ what: "flush: node 3", stoppedWorker: null, fromUs: 0, untilUs: 500 }];
    const words = (...histories: readonly (readonly FaultRecord[])[]) =>
      checkHistory(histories.flat())
        .map((violation) => describeViolation(violation, faults, 0))
        .join("\n");
    const first = fenced("w:0:0", { asked: 0, at: 1, fence: 7 });
    expect(words(first, fenced("v:0:0", { asked: 2, at: 3, fence: 7 }))).toMatch(
      /two locks of a have the fence 7:\n.*w:0:0: fence 7, asked for at 0\.0 ms, on record at 1\.0 ms\n.*v:0:0[\s\S]*flush: node 3/,
    );
    expect(words(first, fenced("v:0:0", { asked: 2, at: 3, fence: 4 }))).toMatch(
      /lower fence, by 3:\n.*w:0:0[\s\S]*v:0:0/,
    );
  });
});

test("fenced and unfenced locks are both taken, and never on one resource; other clients have no fences", () => {
  const resources = ["a", "b", "c"];
  const asked = (client: "engine" | "redlock-5") =>
    resources.map((resource) => isFenced({ client, resources }, resource));
  expect(asked("engine")).toEqual([true, true, false]);
  expect(asked("redlock-5")).toEqual([false, false, false]);
});
