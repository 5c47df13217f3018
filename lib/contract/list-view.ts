/** The presets above the list. */
export const PRESETS = ["all", "problems", "no-expiry", "leftover"] as const;
export type Preset = (typeof PRESETS)[number];

/** What a list is filtered and sorted by, in the words of the page's URL. */
export interface ListFilter {
  /** Text of the search box. */
  readonly q: string;
  readonly preset: Preset;
  /** Column, `-` in front for descending. */
  readonly sort: string;
}

const FLAGS: Readonly<Record<Preset, string>> = {
  all: "",
  problems: "is:problem",
  "no-expiry": "no-expiry",
  leftover: "verdict:leftover",
};

/** The filter as a query of `GET /locks` and `GET /events`, without its question mark: the same text for the same list. */
export function listQuery({ q, preset, sort }: ListFilter): string {
  // In front: a quote that somebody has not closed yet would swallow what follows.
  const words = [FLAGS[preset], q.trim()].filter((word) => word !== "").join(" ");
  return new URLSearchParams(words === "" ? { sort } : { sort, q: words }).toString();
}
