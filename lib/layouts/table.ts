import { COMPARE_AND_DELETE, type Layout, type Recognition, type Sighting } from "./layout";
import { operatorRevoke } from "./operator";
import { alphabetTokens, hexTokens, uuidTokens } from "./random-tokens";
import { tellingTokens } from "./telling-tokens";
import { commonPrefixes, wellKnownKeys } from "./well-known-keys";

/** Every layout, the most telling first: the first that recognises a key names it. */
const LAYOUTS: readonly Layout[] = [
  operatorRevoke,
  ...tellingTokens,
  ...wellKnownKeys,
  ...hexTokens,
  ...alphabetTokens,
  ...uuidTokens,
  ...commonPrefixes,
];

/** The same value with an expiry on so many independent masters is no coincidence: no cache or session does that. */
const AGREEING_NODES_MIN = 2;

/**
 * Whose lock a key is.
 *
 * @param sighting the key on one node
 * @returns null when nothing about it looks like a lock
 */
export function recognise(sighting: Sighting): Recognition | null {
  for (const layout of LAYOUTS) {
    const recognition = layout.recognise(sighting);
    if (recognition !== null) return recognition;
  }
  return null;
}

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
    release: COMPARE_AND_DELETE,
  };
}
