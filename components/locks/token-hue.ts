/** Hues that stay apart, also from each other's neighbours. Degrees of OKLCH. */
const HUES = [262, 52, 168, 318, 215, 95, 345, 130] as const;

function hash(text: string): number {
  let value = 0;
  for (const character of text) value = (value * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return value;
}

/**
 * One hue per token of a lock, by fingerprint, so that the same holder looks the same everywhere; two tokens of one lock never
 * share a hue.
 *
 * @param fingerprints in order of importance: the first keeps its own hue
 */
export function tokenHues(fingerprints: readonly string[]): ReadonlyMap<string, number> {
  const hues = new Map<string, number>();
  const taken = new Set<number>();
  for (const fingerprint of new Set(fingerprints)) {
    let index = hash(fingerprint) % HUES.length;
    while (taken.has(index) && taken.size < HUES.length) index = (index + 1) % HUES.length;
    taken.add(index);
    hues.set(fingerprint, HUES[index] ?? HUES[0]);
  }
  return hues;
}
