import { defaultRangeExtractor, type Range, useWindowVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useLayoutEffect, useState } from "react";

/** So few rows are all drawn: searching in the page, printing and reading aloud then find them without scrolling. */
const ALL_DRAWN_MAX = 60;
/** Rows drawn beyond the edges of the screen, so that none is missing while it moves. */
const OVERSCAN = 10;
/** What the server takes the screen for, which it cannot know: rows of the first paint. */
const FIRST_SCREEN = { width: 1280, height: 1000 };

/** A row that is drawn, and the empty space in front of it. */
export interface PlacedRow {
  readonly index: number;
  readonly gapPx: number;
}

interface Options {
  readonly count: number;
  /** Height of a row, or what it is taken for until it was measured, pixels. */
  readonly rowPx: number;
  /** Rows differ in height: each that is drawn says its own to `measure`. */
  readonly isMeasured: boolean;
  /** A row that is drawn wherever the screen is. */
  readonly pinned: number | null;
  readonly list: RefObject<HTMLElement | null>;
  /** Height of what covers the top of the screen, pixels. */
  readonly coveredPx: number;
}

/** The rows to draw of a list that is as long as it likes and scrolls with the page. */
export function useVirtualRows({ count, rowPx, isMeasured, pinned, list, coveredPx }: Options) {
  const scrollMargin = useTopOf(list);
  const rangeExtractor = useCallback(
    (range: Range) => {
      if (count <= ALL_DRAWN_MAX) return Array.from({ length: count }, (_, index) => index);
      const indexes = defaultRangeExtractor(range);
      if (pinned === null || pinned >= count || indexes.includes(pinned)) return indexes;
      return [...indexes, pinned].sort((a, b) => a - b);
    },
    [count, pinned],
  );
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => rowPx,
    overscan: OVERSCAN,
    scrollMargin,
    scrollPaddingStart: coveredPx,
    rangeExtractor,
    initialRect: FIRST_SCREEN,
    useFlushSync: false,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was measured of the table says nothing of the cards.
  useLayoutEffect(() => virtualizer.measure(), [rowPx]);
  let end = scrollMargin;
  const placed = virtualizer.getVirtualItems().map((item): PlacedRow => {
    const gapPx = Math.max(0, item.start - end);
    end = item.end;
    return { index: item.index, gapPx };
  });
  return {
    placed,
    /** Empty space behind the last row that is drawn, pixels. */
    endPx: Math.max(0, virtualizer.getTotalSize() + scrollMargin - end),
    /** First and last row on screen. */
    first: virtualizer.range?.startIndex ?? 0,
    last: virtualizer.range?.endIndex ?? 0,
    measure: isMeasured ? virtualizer.measureElement : undefined,
    scrollTo: (index: number) => virtualizer.scrollToIndex(index, { align: "auto" }),
  };
}

/**
 * Where an element begins in the page, pixels. What stands above it comes and goes (a banner, a filter that wraps), which the heights of
 * what is around it show: asking after each render would lay out the page once more for every step of the wheel.
 */
function useTopOf(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const present = element.current;
    if (present === null) return;
    const look = () => setTop(Math.round(present.getBoundingClientRect().top + window.scrollY));
    look();
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    if (present.parentElement !== null) observer.observe(present.parentElement);
    return () => observer.disconnect();
  }, [element]);
  return top;
}
