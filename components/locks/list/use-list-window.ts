import { useState } from "react";
import type { ListWindow } from "@/lib/client";

/** Rows asked for at a time, and how near to their edge the screen may come before others are asked for. */
const LIMIT = 200;
const MARGIN = 40;

/**
 * The rows to ask the server for as the list is scrolled.
 *
 * @param list changes when the reader asked for another list: then it begins at the top
 */
export function useListWindow(list: string) {
  const [{ offset, of }, setPlace] = useState({ offset: 0, of: list });
  const shown: ListWindow = { offset: of === list ? offset : 0, limit: LIMIT };
  return {
    shown,
    /** To be told which rows are on screen, as often as one likes. */
    onRange: (first: number, last: number) => {
      const isInside = first - MARGIN >= shown.offset || shown.offset === 0;
      const isBefore = last + MARGIN <= shown.offset + LIMIT;
      if (isInside && isBefore && first >= shown.offset) return;
      setPlace({ offset: Math.max(0, Math.floor((first + last) / 2) - LIMIT / 2), of: list });
    },
  };
}
