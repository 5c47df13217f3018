import { beforeEach, describe, expect, test } from "vitest";
import type { Ledger } from "@/lib/inventory/ledger";
import { contextAt, newLedger, standsAt } from "./ledger-rig";

let ledger: Ledger;
let now: number;
beforeEach(() => {
  ledger = newLedger();
  now = 1000;
});

function judge(text: string, resource = "r") {
  return ledger.judge(resource, standsAt(now, text), contextAt(now), true);
}

describe("what only time shows", () => {
  const due = () => [...ledger.due(now, 5000 + now)];

  test("an uneven expiry is published once it has lasted, not while an extension is on its way", () => {
    judge("t@9000 t@9000 t@9000 t@9000 t@9000");
    now += 1000;
    expect(judge("t@20000 t@20000 t@9000 t@9000 t@9000")).toMatchObject({ view: { evidence: [] } });
    expect(due()).toEqual([]);
    now += 1000;
    expect(due()).toEqual(["r"]);
    const later = judge("t@20000 t@20000 t@9000 t@9000 t@9000");
    expect(later).toMatchObject({ kind: "changed", view: { evidence: [{ kind: "uneven_expiry" }] } });
    now += 500;
    expect(due()).toEqual([]);
    expect(judge("t@20000 t@20000 t@20000 t@20000 t@20000")).toMatchObject({ view: { evidence: [] } });
  });

  /** Holds of a name like that of `r:1`, each for so long. */
  function holdOthers(ms: number, times = 5): void {
    for (let count = 0; count < times; count += 1) {
      judge("t@9000000 t@9000000 t@9000000 t@9000000 t@9000000", "r:2");
      now += ms;
      judge("- - - - -", "r:2");
    }
  }
  const long = "u@9000000 u@9000000 u@9000000 u@9000000 u@9000000";
  const dueSoon = () => {
    // Every lock is looked at within ten looks.
    for (let look = 0; look < 10; look += 1) {
      now += 500;
      const resources = due();
      if (resources.length > 0) return resources;
    }
    return [];
  };

  test("a lock that is held too long becomes a problem without any change on a node", () => {
    holdOthers(2000);
    judge(long, "r:1");
    now += 4000;
    expect(due()).toEqual(["r:1"]);
    expect(judge(long, "r:1")).toMatchObject({ kind: "changed", view: { evidence: [{ kind: "held_long" }] } });
    expect(dueSoon()).toEqual([]);
  });

  test("what is usual has become longer: a lock that was held too long no longer is, and the other way round", () => {
    holdOthers(100);
    judge(long, "r:1");
    now += 4000;
    due();
    expect(judge(long, "r:1")).toMatchObject({ view: { evidence: [{ kind: "held_long" }] } });
    holdOthers(20_000, 1);
    expect(dueSoon()).toEqual(["r:1"]);
    expect(judge(long, "r:1")).toMatchObject({ kind: "changed", view: { evidence: [] } });
    expect(dueSoon()).toEqual([]);
    // As many as are kept: the long one is forgotten.
    holdOthers(1, 500);
    expect(dueSoon()).toEqual(["r:1"]);
    expect(judge(long, "r:1")).toMatchObject({ kind: "changed", view: { evidence: [{ kind: "held_long" }] } });
  });

  test("a lock of an hour that is not renewed is none", () => {
    judge(long, "r:1");
    now += 3_000_000;
    expect(dueSoon()).toEqual([]);
    expect(judge(long, "r:1")).toEqual({ kind: "same" });
  });
});
