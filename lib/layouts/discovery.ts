import { groupKeys, TELLING_NAME } from "./key-groups";
import type { Confidence, Recognition, Sighting } from "./layout";
import { type Layouts, recogniseByAgreement } from "./table";

/** One key on one node, of a sample. */
export interface Sample {
  readonly node: string;
  readonly sighting: Sighting;
}

/** Keys of one kind, and whether they look like locks. */
export interface KeyGroup {
  /** Redis glob pattern, as `REDLOCK_KEY_PATTERNS` takes it. */
  readonly pattern: string;
  readonly type: string;
  /** Different keys, on any node. */
  readonly keys: number;
  /** How many of them expire by themselves wherever they were seen. */
  readonly expiring: number;
  /** How many of them are read already. */
  readonly covered: number;
  /** Nodes that have any of them. */
  readonly nodes: readonly string[];
  readonly examples: readonly string[];
  /** null: they do not look like locks. */
  readonly confidence: Confidence | null;
  /** The client software most of them look like, in words. */
  readonly label: string | null;
  /** Why they look like locks, or why not, as sentences. */
  readonly reasons: readonly string[];
}

/** So much of a group must look alike for the whole of it to be called so. */
const SHARE_MIN = 0.8;
const EXAMPLES_MAX = 3;
/** The pattern of locks whose names have nothing in common: it would list every other key too. */
const EVERY_KEY = "*";
const RANK: readonly (Confidence | null)[] = ["certain", "probable", "possible", null];

/**
 * Groups a sample of keys by name and type, and judges which groups look like locks: those first, the surer the earlier.
 *
 * @param samples a bounded part of what is on the nodes
 * @param isCovered whether a key is read already
 */
export function discover(
  samples: readonly Sample[],
  layouts: Layouts,
  isCovered: (key: string) => boolean,
): readonly KeyGroup[] {
  const byKey = new Map<string, Sample[]>();
  for (const sample of samples) byKey.set(sample.sighting.key, [...(byKey.get(sample.sighting.key) ?? []), sample]);
  const samplesOf = (key: string) => byKey.get(key) ?? [];
  const groups: KeyGroup[] = [];
  for (const [pattern, keys] of groupKeys([...byKey.keys()])) {
    const byType = new Map<string, string[]>();
    for (const key of keys) {
      const type = samplesOf(key)[0]?.sighting.type ?? "none";
      byType.set(type, [...(byType.get(type) ?? []), key]);
    }
    for (const [type, own] of byType) {
      const recognised = own.map((key) => recognitionOf(samplesOf(key), layouts));
      groups.push({
        pattern,
        type,
        keys: own.length,
        expiring: own.filter((key) => samplesOf(key).every(({ sighting }) => sighting.hasExpiry)).length,
        covered: own.filter(isCovered).length,
        nodes: [...new Set(own.flatMap((key) => samplesOf(key).map(({ node }) => node)))].sort(),
        examples: own.slice(0, EXAMPLES_MAX),
        ...judge(pattern, recognised),
      });
    }
  }
  return groups.sort((a, b) => RANK.indexOf(a.confidence) - RANK.indexOf(b.confidence) || b.keys - a.keys);
}

/**
 * The line to set so that the console reads the groups that look like locks. What is set already stays in it: locks come and go, and
 * a sample without one says nothing against its pattern.
 *
 * @param present the patterns set now; null when there are none, and every key is read
 * @returns null when there is nothing to add
 */
export function patternsLine(groups: readonly KeyGroup[], present: readonly string[] | null): string | null {
  const found = groups
    .filter(({ confidence, covered, keys }) => confidence !== null && (present === null || covered < keys))
    .map(({ pattern }) => pattern)
    .filter((pattern) => pattern !== EVERY_KEY);
  if (found.length === 0) return null;
  const patterns = [...new Set([...(present ?? []), ...found])];
  return `REDLOCK_KEY_PATTERNS="${patterns.join(" ").replace(/[\\"$`]/g, "\\$&")}"`;
}

/** By its shape on any node, or else by what the nodes agree on. */
function recognitionOf(samples: readonly Sample[], layouts: Layouts): Recognition | null {
  for (const { sighting } of samples) {
    const identity = layouts.identify(sighting);
    if (identity !== null) return identity.recognition;
  }
  const values = samples.flatMap(({ sighting }) => (sighting.value === null ? [] : [sighting.value]));
  const most = Math.max(0, ...values.map((value) => values.filter((other) => other === value).length));
  return recogniseByAgreement({
    nodesWithSameValue: most,
    hasExpiry: samples.every(({ sighting }) => sighting.hasExpiry),
  });
}

function judge(
  pattern: string,
  recognised: readonly (Recognition | null)[],
): Pick<KeyGroup, "confidence" | "label" | "reasons"> {
  const counts = new Map<string, { readonly recognition: Recognition; count: number }>();
  for (const recognition of recognised) {
    if (recognition === null) continue;
    const entry = counts.get(recognition.id) ?? { recognition, count: 0 };
    entry.count += 1;
    counts.set(recognition.id, entry);
  }
  const ranked = [...counts.values()].sort((a, b) => b.count - a.count);
  const known = ranked.reduce((sum, { count }) => sum + count, 0);
  const reasons = ranked.map(
    ({ recognition, count }) =>
      `${count} of ${recognised.length} look like ${recognition.label} (${recognition.confidence}).`,
  );
  if (known > 0 && pattern === EVERY_KEY) {
    reasons.push("No pattern tells their names from others: leave REDLOCK_KEY_PATTERNS unset to see them.");
  }
  const [most] = ranked;
  const isTelling = TELLING_NAME.test(pattern);
  if (most !== undefined && known >= SHARE_MIN * recognised.length) {
    return { confidence: most.recognition.confidence, label: most.recognition.label, reasons };
  }
  if (isTelling) {
    const why =
      "The name says so, but what is in them is of no client the console knows: describe it in REDLOCK_LAYOUTS.";
    return { confidence: "possible", label: most?.recognition.label ?? null, reasons: [...reasons, why] };
  }
  return {
    confidence: null,
    label: null,
    reasons: [...reasons, "Neither their names nor what is in them looks like a lock."],
  };
}
