import type { Look } from "@/lib/incidents";
import { REVOKED_LAYOUT_ID } from "@/lib/layouts";
import { earliestEnd, type NodeStand } from "./sighting";
import type { ViewContext } from "./view";

/** A reading of one resource as the watch for incidents wants it. */
export function lookOf(stands: readonly NodeStand[], { now, readAt }: Pick<ViewContext, "now" | "readAt">): Look {
  return {
    now,
    readAt,
    membership: stands.length,
    silent: stands.flatMap(({ node, silent }) => (silent === null ? [] : [node])),
    keys: stands.flatMap(({ node, sighting }) => {
      if (sighting === null || sighting.fingerprint === null) return [];
      const { fingerprint, receivedAt: seenAt, recognition } = sighting;
      const label = recognition?.holderLabel ?? null;
      const isRevoked = recognition?.id === REVOKED_LAYOUT_ID;
      return [{ node, fingerprint, endAt: earliestEnd(sighting), seenAt, label, isRevoked }];
    }),
  };
}
