import { describe, expect, test } from "vitest";
import { intervalsOf } from "@/lib/lab";
import { checkHistory, type InflictedFault } from "../../fault/checker";
import { claimRecords, type FaultRecord } from "../../fault/history";

const MS = 1000;

function grant(id: string, fromMs: number, untilMs: number, resource = "a"): FaultRecord {
  return { kind: "grant", id, resource, askedUs: (fromMs - 1) * MS, atUs: fromMs * MS, untilUs: untilMs * MS };
}

function extend(id: string, askedMs: number, atMs: number, untilMs: number): FaultRecord {
  return { kind: "extend", id, askedUs: askedMs * MS, atUs: atMs * MS, untilUs: untilMs * MS };
}

function end(id: string, atMs: number): FaultRecord {
  return { kind: "end", id, atUs: atMs * MS };
}

function kinds(records: readonly FaultRecord[], faults: readonly InflictedFault[] = []): readonly string[] {
  return checkHistory(records, faults).map(({ kind }) => kind);
}

describe("I1: claims of one resource", () => {
  test("that overlap are found, with the two and for how long", () => {
    const [violation] = checkHistory([grant("w:0:0", 0, 100), grant("v:0:0", 60, 160)]);
    expect(violation).toMatchObject({
      kind: "overlap",
      first: { id: "w:0:0" },
      second: { id: "v:0:0" },
      overlapMs: 40,
    });
  });

  test("are found in whatever order the files of the workers are read", () => {
    expect(kinds([grant("v:0:0", 60, 160), grant("w:0:0", 0, 100)])).toEqual(["overlap"]);
  });

  test("that only touch are fine", () => {
    expect(kinds([grant("w:0:0", 0, 100), grant("v:0:0", 100, 200)])).toEqual([]);
  });

  test("are no business of other resources", () => {
    expect(kinds([grant("w:0:0", 0, 100, "a"), grant("v:0:0", 50, 150, "b")])).toEqual([]);
  });

  test("end with the release", () => {
    expect(kinds([grant("w:0:0", 0, 100), end("w:0:0", 30), grant("v:0:0", 31, 131)])).toEqual([]);
  });

  test("go on to the end of the validity when the holder forgets them", () => {
    expect(kinds([grant("w:0:0", 0, 100), grant("v:0:0", 31, 131)])).toEqual(["overlap"]);
  });

  test("reach as far as they were extended", () => {
    const extended = [grant("w:0:0", 0, 100), extend("w:0:0", 50, 52, 150)];
    expect(kinds([...extended, grant("v:0:0", 120, 220)])).toEqual(["overlap"]);
    expect(kinds([...extended, end("w:0:0", 110), grant("v:0:0", 120, 220)])).toEqual([]);
  });

  test("are found behind a short one that lies inside a long one", () => {
    const records = [grant("w:0:0", 0, 100), grant("v:0:0", 10, 20), grant("u:0:0", 90, 190)];
    expect(kinds(records)).toEqual(["overlap", "overlap"]);
  });

  test("end where the holder found its lock gone", () => {
    const stale: FaultRecord = { kind: "stale", id: "w:0:0", atUs: 40 * MS };
    expect(intervalsOf(claimRecords([grant("w:0:0", 0, 100), stale]))).toMatchObject([{ fromUs: 0, untilUs: 40 * MS }]);
  });
});

describe("I2: a grant without validity", () => {
  const stopped: InflictedFault = { what: "pause-client", stoppedWorker: "w", fromUs: 9500, untilUs: 9900 };

  test("is found", () => {
    expect(kinds([grant("w:0:0", 10, 10)])).toEqual(["expired_grant"]);
    expect(kinds([grant("w:0:0", 10, 4)])).toEqual(["expired_grant"]);
  });

  test("is nobody's fault when the process stood still between winning it and noting it", () => {
    expect(kinds([grant("w:0:0", 10, 4)], [stopped])).toEqual([]);
    expect(kinds([grant("v:0:0", 10, 4)], [stopped])).toEqual(["expired_grant"]);
  });
});

describe("I4: an extension", () => {
  test("asked for after the end of the validity revives the lock, which is found", () => {
    expect(kinds([grant("w:0:0", 0, 100), extend("w:0:0", 101, 103, 200)])).toEqual(["revived"]);
  });

  test("asked for in time is fine, even when it was noted late", () => {
    expect(kinds([grant("w:0:0", 0, 100), extend("w:0:0", 99, 180, 199)])).toEqual([]);
  });
});

describe("I5: a free lock", () => {
  test("that is not to be had after the faults is found", () => {
    expect(kinds([{ kind: "live", id: "w:life", resource: "a", tookMs: null }])).toEqual(["not_live"]);
    expect(kinds([{ kind: "live", id: "w:life", resource: "a", tookMs: 12 }])).toEqual([]);
  });
});
