/** So few rows are all drawn: searching in the page, printing and reading aloud then find them without scrolling. */
const ALL_DRAWN_MAX = 60;
/** Rows drawn beyond the edges of the screen, so that none is missing while it moves. */
export const OVERSCAN = 10;
/** What the server takes the screen for, which it cannot know: rows of the first paint. */
export const FIRST_SCREEN = { width: 1280, height: 1000 };

/** A row that is drawn, and the empty space in front of it. */
export interface PlacedRow {
  readonly index: number;
  readonly gapPx: number;
}

/** The rows to draw of a list that is as long as it likes and scrolls with the page. */
export interface VirtualRows {
  readonly placed: readonly PlacedRow[];
  /** Empty space behind the last row that is drawn, pixels. */
  readonly endPx: number;
  /** First and last row on screen. */
  readonly first: number;
  readonly last: number;
  readonly scrollTo: (index: number) => void;
}

/** Which rows to draw, in order: those on screen and around it, the pinned one wherever it is, and all of a short list. */
export function drawnRows(first: number, last: number, count: number, pinned: number | null): readonly number[] {
  const isShort = count <= ALL_DRAWN_MAX;
  const from = isShort ? 0 : Math.max(0, first - OVERSCAN);
  const to = isShort ? count - 1 : Math.min(count - 1, last + OVERSCAN);
  const indexes = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
  if (pinned === null || pinned >= count || (pinned >= from && pinned <= to)) return indexes;
  return pinned < from ? [pinned, ...indexes] : [...indexes, pinned];
}
