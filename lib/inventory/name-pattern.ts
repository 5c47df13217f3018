/** What structures a name, strongest first: the dashes of a UUID must not make a pattern of each name. */
const SEPARATORS: readonly RegExp[] = [/[:/|#]/g, /\./g, /[-_]/g];

/**
 * The pattern of the names like this one: everything up to the last separator, and a star. `orders:42` is one of `orders:*`, and so is
 * `orders:2f1c-77`. Null for a name without a separator.
 */
export function namePatternOf(resource: string): string | null {
  for (const separator of SEPARATORS) {
    const last = [...resource.matchAll(separator)].at(-1);
    // A separator in front of everything structures nothing.
    if (last !== undefined && last.index > 0) return `${resource.slice(0, last.index + 1)}*`;
  }
  return null;
}
