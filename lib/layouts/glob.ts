/**
 * Redis's glob patterns (`*`, `?`, `[a-z]`, `[^a]`, `\x`) as a test of a key.
 *
 * @param pattern as in `SCAN … MATCH`
 */
export function globMatcher(pattern: string): (key: string) => boolean {
  if (pattern === "*") return () => true;
  let source = "";
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern.charAt(index);
    const classEnd = character === "[" ? pattern.indexOf("]", index + 1) : -1;
    if (character === "*") source += ".*";
    else if (character === "?") source += ".";
    else if (classEnd > index) {
      source += classSource(pattern.slice(index + 1, classEnd));
      index = classEnd;
    } else if (character === "\\" && index + 1 < pattern.length) {
      index += 1;
      source += escaped(pattern.charAt(index));
    } else source += escaped(character);
  }
  const expression = new RegExp(`^${source}$`, "s");
  return (key) => expression.test(key);
}

function classSource(members: string): string {
  const isNegated = members.startsWith("^");
  const listed = (isNegated ? members.slice(1) : members).replace(/[\\\]^[]/g, "\\$&");
  if (listed === "") return isNegated ? "." : "(?!)";
  return `[${isNegated ? "^" : ""}${listed}]`;
}

function escaped(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/** The text with which every key begins that fits a pattern. */
export function literalPrefix(pattern: string): string {
  let prefix = "";
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern.charAt(index);
    if ("*?[".includes(character)) break;
    if (character === "\\" && index + 1 < pattern.length) index += 1;
    prefix += pattern.charAt(index);
  }
  return prefix;
}

/**
 * Prefixes that between them every key has that fits one of the patterns; none begins with another.
 *
 * @returns none when a pattern fits keys of any beginning
 */
export function prefixesOf(patterns: readonly string[]): readonly string[] {
  const prefixes = [...new Set(patterns.map(literalPrefix))];
  if (prefixes.includes("")) return [];
  return prefixes.filter((prefix) => !prefixes.some((other) => other !== prefix && prefix.startsWith(other)));
}
