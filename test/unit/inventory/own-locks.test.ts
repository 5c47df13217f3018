import { expect, test } from "vitest";
import { locksQuerySchema } from "@/lib/contract";
import { pageOf } from "@/lib/inventory/page";
import { type NodeStand, sightingOf } from "@/lib/inventory/sighting";
import { KNOWN_LAYOUTS } from "@/lib/layouts";
import { fingerprintOf } from "@/lib/redis";
import { monotonicMs, nodeId } from "@/lib/redlock";
import { contextAt, newLedger } from "./ledger-rig";

const TOKEN = "0123456789abcdef0123456789abcdef01234567";
const FINGERPRINT = fingerprintOf(TOKEN);

/** A key with a token of this engine's form on five nodes. */
function stands(): readonly NodeStand[] {
  const value = Buffer.from(TOKEN);
  const reading = { resource: "orders:42", type: "string", value, elements: null, remainingMs: 60_000 } as const;
  const times = { sentAt: monotonicMs(1000), receivedAt: monotonicMs(1000) };
  const sighting = sightingOf(reading, times, KNOWN_LAYOUTS);
  return ["a", "b", "c", "d", "e"].map((node) => ({ node: nodeId(node), sighting, silent: null, roundTripMs: 1 }));
}

test("the form of a token is said for what it is; a lock of this console is known to be its own, in lists and filters too", () => {
  const ledger = newLedger();
  const known = stands();
  const layoutWhen = (own: readonly string[]) => {
    const context = { ...contextAt(1100), isOwn: (fingerprint: string) => own.includes(fingerprint) };
    const { kind } = ledger.judge("orders:42", known, context, true);
    const list = (q: string) => pageOf(ledger, locksQuerySchema.parse({ q }), context);
    const [lock] = list("").locks;
    return { kind, layout: lock?.layout, ours: list("client:console").total };
  };
  const byForm = { id: "redlock4j", label: "this engine or redlock4j (Java)", confidence: "probable" };
  expect(layoutWhen([])).toEqual({ kind: "changed", layout: byForm, ours: 0 });
  // The mirror may have read it before the acquire was over.
  const ours = { id: "redlock4j", label: "this console", confidence: "certain" };
  expect(layoutWhen([FINGERPRINT])).toEqual({ kind: "changed", layout: ours, ours: 1 });
  expect(layoutWhen([FINGERPRINT])).toEqual({ kind: "same", layout: ours, ours: 1 });
  expect(layoutWhen([])).toEqual({ kind: "changed", layout: byForm, ours: 0 });
});
