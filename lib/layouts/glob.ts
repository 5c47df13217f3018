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
