import { type Range, useWindowVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback } from "react";
import { drawnRows, FIRST_SCREEN, OVERSCAN, type PlacedRow, type VirtualRows } from "./placed-rows";
import { useTopOf } from "./use-top-of";

interface Options {
  readonly count: number;
  /** What a row is taken for until it was measured, pixels. */
  readonly rowPx: number;
  /** A row that is drawn wherever the screen is. */
  readonly pinned: number | null;
  readonly list: RefObject<HTMLElement | null>;
  /** Height of what covers the top of the screen, pixels. */
  readonly coveredPx: number;
}

interface MeasuredRows extends VirtualRows {
  /** Each row that is drawn says its own height. */
  readonly measure: (element: Element | null) => void;
}

/** The rows to draw of a list whose rows differ in height. */
export function useMeasuredRows({ count, rowPx, pinned, list, coveredPx }: Options): MeasuredRows {
  const scrollMargin = useTopOf(list);
  const rangeExtractor = useCallback(
    ({ startIndex, endIndex }: Range) => [...drawnRows(startIndex, endIndex, count, pinned)],
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
  let end = scrollMargin;
  const placed = virtualizer.getVirtualItems().map((item): PlacedRow => {
    const gapPx = Math.max(0, item.start - end);
    end = item.end;
    return { index: item.index, gapPx };
  });
  return {
    placed,
    endPx: Math.max(0, virtualizer.getTotalSize() + scrollMargin - end),
    first: virtualizer.range?.startIndex ?? 0,
    last: virtualizer.range?.endIndex ?? 0,
    measure: virtualizer.measureElement,
    scrollTo: (index: number) => virtualizer.scrollToIndex(index, { align: "auto" }),
  };
}
