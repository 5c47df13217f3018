/** What structures a name, strongest first: the dashes of a UUID must not make a pattern of each name. */
const SEPARATORS: readonly string[] = [":/|#", ".", "-_"];

/**
 * The pattern of the names like this one: everything up to the last separator, and a star. `orders:42` is one of `orders:*`, and so is
 * `orders:2f1c-77`. Null for a name without a separator.
 */
export function namePatternOf(resource: string): string | null {
  for (const characters of SEPARATORS) {
    // No regular expression: this is asked of every lock at every reading of it.
    let last = -1;
    for (const character of characters) last = Math.max(last, resource.lastIndexOf(character));
    // A separator in front of everything structures nothing.
    if (last > 0) return `${resource.slice(0, last + 1)}*`;
  }
  return null;
}
