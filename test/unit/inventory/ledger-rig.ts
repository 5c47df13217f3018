import { Ledger } from "@/lib/inventory/ledger";
import type { NodeStand } from "@/lib/inventory/sighting";
import type { ViewContext } from "@/lib/inventory/view";
import { monotonicMs, nodeId } from "@/lib/redlock";

const NODES = ["a", "b", "c", "d", "e"];

/** An empty one that lists every key. */
export function newLedger(): Ledger {
  return new Ledger({ listsEverything: true, maxTtlMs: null, incidents: null });
}

/** A view at `now`; the wall clock is 5 s ahead of the monotonic one. */
export function contextAt(now: number, votingNodes = 5): ViewContext {
  return { now: monotonicMs(now), readAt: 5000 + now, votingNodes, isQuarantined: () => false };
}

/** What five nodes say at `now`. Per node: `token@end`, `token` without expiry, `-` free, `?` silent, `?token@end` silent since then. */
export function standsAt(now: number, text: string): NodeStand[] {
  return text.split(" ").map((word, index) => {
    const isSilent = word.startsWith("?");
    const [token = "", end] = word.replace("?", "").split("@");
    const seenAt = monotonicMs(now);
    const remainingMs = end === undefined ? null : Number(end) - now;
    const times = { remainingMs, sentAt: seenAt, receivedAt: seenAt };
    const isThere = token !== "-" && token !== "";
    return {
      node: nodeId(NODES[index] ?? ""),
      sighting: isThere ? { type: "string", fingerprint: token, recognition: null, ...times } : null,
      silent: isSilent ? "no answer" : null,
      roundTripMs: 1,
    };
  });
}

/** The same word on all five nodes. */
export function onAll(word: string): string {
  return Array(5).fill(word).join(" ");
}
