import { type DeclaredLayout, declaredLayout } from "./declared";
import type { Identity, Layout, Recognition, Sighting } from "./layout";
import { operatorRevoke } from "./operator";
import { alphabetTokens, hexTokens, uuidTokens } from "./random-tokens";
import { redisson } from "./redisson";
import { sharedHolders } from "./shared-holders";
import { syncguard } from "./syncguard";
import { tellingTokens } from "./telling-tokens";
import type { WaiterProbe } from "./waiters";
import { commonPrefixes, wellKnownKeys } from "./well-known-keys";

/** Every layout the console knows by itself, the most telling first: the first that recognises a key names it. */
const KNOWN: readonly Layout[] = [
  operatorRevoke,
  ...redisson,
  ...sharedHolders,
  ...tellingTokens,
  syncguard,
  ...wellKnownKeys,
  ...hexTokens,
  ...alphabetTokens,
  ...uuidTokens,
  ...commonPrefixes,
];

/** The layouts in use. */
export interface Layouts {
  /**
   * Whose lock a key is, and how it may be released.
   *
   * @param sighting the key on one node
   * @returns null when nothing about it looks like a lock
   */
  identify(sighting: Sighting): Identity | null;
  /** Whether a layout's clients lock on one server only, so that other nodes say nothing of such a lock. */
  isOneServer(layoutId: string): boolean;
  /** Where those who wait for a lock can be seen; null: nowhere. */
  waiters(lock: { readonly layoutId: string; readonly key: string }): WaiterProbe | null;
}

/** @param declared layouts of the operator, asked before all others */
export function layoutsWith(declared: readonly DeclaredLayout[]): Layouts {
  const layouts = [...declared.map(declaredLayout), ...KNOWN];
  const byType = new Map<string, readonly Layout[]>();
  for (const { type } of layouts)
    byType.set(
      type,
      layouts.filter((layout) => layout.type === type),
    );
  return {
    identify(sighting) {
      for (const layout of byType.get(sighting.type) ?? []) {
        const identity = layout.identify(sighting);
        if (identity !== null) return identity;
      }
      return null;
    },
    isOneServer: (layoutId) => layouts.some(({ id, isOneServer }) => id === layoutId && isOneServer === true),
    waiters({ layoutId, key }) {
      return layouts.find(({ id }) => id === layoutId)?.waiters?.(key) ?? null;
    },
  };
}

/** The layouts the console knows by itself. */
export const KNOWN_LAYOUTS: Layouts = layoutsWith([]);

/** The same value with an expiry on so many independent masters is no coincidence: no cache or session does that. */
const AGREEING_NODES_MIN = 2;

/**
 * Whose lock a key without a known shape is, judged by how many independent masters agree on it.
 *
 * @param nodesWithSameValue masters that hold a string of the same value under this key
 */
export function recogniseByAgreement({
  nodesWithSameValue,
  hasExpiry,
}: {
  readonly nodesWithSameValue: number;
  readonly hasExpiry: boolean;
}): Recognition | null {
  if (nodesWithSameValue < AGREEING_NODES_MIN || !hasExpiry) return null;
  return {
    id: "redlock-unknown",
    label: "a Redlock client of unknown make",
    confidence: "probable",
    holderLabel: null,
  };
}
