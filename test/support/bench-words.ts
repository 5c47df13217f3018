/** Options of a benchmark, `--name value` each. @throws RangeError for one that is not among `names`, or has no value */
export function benchWords(words: readonly string[], names: readonly string[]): ReadonlyMap<string, string> {
  const given = new Map<string, string>();
  for (let at = 0; at < words.length; at += 2) given.set(words[at] ?? "", words[at + 1] ?? "");
  const isKnown = [...given].every(([name, value]) => names.includes(name) && value !== "");
  if (!isKnown) throw new RangeError(`Options: ${names.map((name) => `${name} …`).join(" ")}; got ${words.join(" ")}`);
  return given;
}

export function listOf(
  given: ReadonlyMap<string, string>,
  name: string,
  standard: readonly string[],
): readonly string[] {
  return given.get(name)?.split(",") ?? standard;
}

/** @throws RangeError for what is no positive number */
export function numberOf(given: ReadonlyMap<string, string>, name: string, standard: number): number {
  const value = Number(given.get(name) ?? standard);
  if (!(value > 0)) throw new RangeError(`${name} must be a positive number, got ${given.get(name)}`);
  return value;
}
