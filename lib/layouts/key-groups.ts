/** Between the parts of a key's name. */
const DELIMITERS = /([:/.|])/;
/** So many different words at one place of a name are names of things, not of kinds: they become `*`. */
const WORDS_MAX = 4;
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
    keys.map((key) => ({ key, parts: key.split(DELIMITERS) })),
    { depth: 0, pattern: "" },
    groups,
  );
  return groups;
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
  const isVaried = new Set(keys.map(({ parts }) => parts[place])).size > WORDS_MAX;
  const branches = new Map<string, SplitKey[]>();
  for (const split of keys) {
    const { key, parts } = split;
    const isRest = at.depth === DEPTH_MAX;
    const pattern = isRest
      ? `${at.pattern}*`
      : at.pattern + nextPart(parts[place] ?? "", isVaried) + escaped(parts[place + 1] ?? "");
    if (isRest || parts.length <= place + 1) add(groups, pattern, key);
    else add(branches, pattern, split);
  }
  for (const [pattern, own] of branches) collect(own, { depth: at.depth + 1, pattern }, groups);
}

function add<Item>(map: Map<string, Item[]>, name: string, item: Item): void {
  const items = map.get(name);
  if (items === undefined) map.set(name, [item]);
  else items.push(item);
}

function nextPart(word: string, isVaried: boolean): string {
  return isVaried || VARIABLE.test(word) ? "*" : escaped(word);
}

/** As it stands in a glob pattern; what a list of patterns cannot hold stands for any one character. */
function escaped(text: string): string {
  return text.replace(/[*?[\]\\]/g, "\\$&").replace(/[\s,]/g, "?");
}
