import { type RefObject, useEffect, useState } from "react";
import { drawnRows, FIRST_SCREEN, type PlacedRow, type VirtualRows } from "./placed-rows";
import { useTopOf } from "./use-top-of";

interface Options {
  readonly count: number;
  /** Height of every row, pixels. */
  readonly rowPx: number;
  /** A row that is drawn wherever the screen is. */
  readonly pinned: number | null;
  readonly list: RefObject<HTMLElement | null>;
  /** Height of what covers the top of the screen, pixels. */
  readonly coveredPx: number;
}

/** The rows to draw of a list whose rows are all of one height: where a row stands is a product, whatever the list's length. */
export function useFixedRows({ count, rowPx, pinned, list, coveredPx }: Options): VirtualRows {
  const top = useTopOf(list);
  const { first, last } = clamped(useScreen(top, rowPx), count);
  let end = 0;
  const placed = drawnRows(first, last, count, pinned).map((index): PlacedRow => {
    const gapPx = index * rowPx - end;
    end = (index + 1) * rowPx;
    return { index, gapPx };
  });
  return {
    placed,
    endPx: Math.max(0, count * rowPx - end),
    first,
    last,
    scrollTo: (index) => {
      const y = top + index * rowPx;
      const [above, below] = [y - coveredPx, y + rowPx - window.innerHeight];
      if (window.scrollY > above) window.scrollTo({ top: above });
      else if (window.scrollY < below) window.scrollTo({ top: below });
    },
  };
}

interface Screen {
  readonly first: number;
  readonly last: number;
}

/** Rows between the edges of the screen, of a list without end. The component is drawn again only when they are others. */
function useScreen(top: number, rowPx: number): Screen {
  const [screen, setScreen] = useState<Screen>({ first: 0, last: Math.floor(FIRST_SCREEN.height / rowPx) });
  useEffect(() => {
    const look = () => {
      const y = window.scrollY - top;
      const [first, last] = [Math.max(0, Math.floor(y / rowPx)), Math.floor((y + window.innerHeight) / rowPx)];
      setScreen((before) => (before.first === first && before.last === last ? before : { first, last }));
    };
    look();
    document.addEventListener("scroll", look, { passive: true });
    window.addEventListener("resize", look);
    return () => {
      document.removeEventListener("scroll", look);
      window.removeEventListener("resize", look);
    };
  }, [top, rowPx]);
  return screen;
}

/** A list that has become shorter may end above where the screen was when it last moved. */
function clamped({ first, last }: Screen, count: number): Screen {
  const end = Math.max(0, Math.min(last, count - 1));
  return { first: Math.min(first, Math.max(0, end - (last - first))), last: end };
}
