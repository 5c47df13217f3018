import { bytesOfKey } from "@/lib/redlock";

/** Between the parts of a key's name. */
const DELIMITERS = /([:/.|])/;
/** So many different words at one place of a name may be names of kinds; more of them are names of things, and become `*`. */
const WORDS_MAX = 4;
/** The first word of a name of several says what kind of key it is, in all sorts of clients: many of them are still kinds. */
const PREFIXES_MAX = 50;
/** Names of kinds also where there are many: a word that so many of the keys have in common … */
const KIND_KEYS_MIN = 5;
const KIND_SHARE_MIN = 0.05;
/** … and one that says so, since locks are few among other keys. */
export const TELLING_NAME = /lock|mutex|lease|semaphore|leader/i;
/** So many words of a name are looked at; the rest of it is one `*`. */
const DEPTH_MAX = 6;

/** Numbers, identifiers and hashes: whatever has a digit in it. */
const VARIABLE = /\d/;

/**
 * Glob patterns that between them cover the keys, one per kind of key: what varies at a place becomes `*`.
 *
 * @returns the keys of each pattern
 */
export function groupKeys(keys: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  collect(
    keys.map((key) => ({ key, parts: nameOf(key).split(DELIMITERS) })),
    { depth: 0, pattern: "" },
    groups,
  );
  return groups;
}

/** The name of a key that is bytes, one character for each of them, those that are no letters as a control character. */
function nameOf(key: string): string {
  const bytes = bytesOfKey(key);
  if (bytes === null) return key;
  return Array.from(bytes, (byte) => (byte < 0x7f ? String.fromCharCode(byte) : "\u007f")).join("");
}

interface SplitKey {
  readonly key: string;
  /** Word, delimiter, word, … */
  readonly parts: readonly string[];
}

/** @param at how many words the keys have in common, and their pattern so far */
function collect(
  keys: readonly SplitKey[],
  at: { readonly depth: number; readonly pattern: string },
  groups: Map<string, string[]>,
): void {
  const place = 2 * at.depth;
  const ends = ({ parts }: SplitKey) => parts.length <= place + 1;
  const isPrefix = at.depth === 0;
  const lastKinds = kindsAmong(keys.filter(ends), place, WORDS_MAX);
  const innerKinds = kindsAmong(
    keys.filter((key) => !ends(key)),
    place,
    isPrefix ? PREFIXES_MAX : WORDS_MAX,
  );
  const branches = new Map<string, SplitKey[]>();
  for (const split of keys) {
    const { key, parts } = split;
    const kinds = ends(split) ? lastKinds : innerKinds;
    const isRest = at.depth === DEPTH_MAX;
    const pattern = isRest
      ? `${at.pattern}*`
      : at.pattern + nextPart(parts[place] ?? "", kinds) + escaped(parts[place + 1] ?? "");
    if (isRest || ends(split)) add(groups, pattern, key);
    else add(branches, pattern, split);
  }
  for (const [pattern, own] of branches) collect(own, { depth: at.depth + 1, pattern }, groups);
}

function add<Item>(map: Map<string, Item[]>, name: string, item: Item): void {
  const items = map.get(name);
  if (items === undefined) map.set(name, [item]);
  else items.push(item);
}

/** @returns the words at this place that are names of kinds, not of things */
function kindsAmong(keys: readonly SplitKey[], place: number, wordsMax: number): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { parts } of keys) {
    const word = parts[place] ?? "";
    if (!VARIABLE.test(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const words = [...counts.keys()];
  const telling = words.filter((word) => TELLING_NAME.test(word));
  const countMin = Math.max(KIND_KEYS_MIN, KIND_SHARE_MIN * keys.length);
  const kinds = new Set(words.filter((word) => (counts.get(word) ?? 0) >= countMin));
  if (telling.length <= PREFIXES_MAX) for (const word of telling) kinds.add(word);
  const others = words.filter((word) => !kinds.has(word));
  return others.length > wordsMax ? kinds : new Set(words);
}

function nextPart(word: string, kinds: ReadonlySet<string>): string {
  return kinds.has(word) ? escaped(word) : "*";
}

/** As it stands in a glob pattern; what a list of patterns cannot hold stands for any one character. */
function escaped(text: string): string {
  return text.replace(/[*?[\]\\]/g, "\\$&").replace(/[\s,\p{Cc}]/gu, "?");
}
