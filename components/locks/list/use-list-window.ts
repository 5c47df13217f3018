import { useRef, useState } from "react";
import type { ListWindow } from "@/lib/client";

/** Rows asked for at a time; so many of them lie behind the screen, in the direction from which it comes. */
const LIMIT = 300;
const BEHIND = 60;
/** Others are asked for when there are only so many left ahead: a wheel in a hurry passes them while the answer is on its way. */
const AHEAD_MIN = 120;

/**
 * The rows to ask the server for as the list is scrolled.
 *
 * @param list changes when the reader asked for another list: then it begins at the top
 */
export function useListWindow(list: string) {
  const [{ offset, of }, setPlace] = useState({ offset: 0, of: list });
  const shown: ListWindow = { offset: of === list ? offset : 0, limit: LIMIT };
  const before = useRef(0);
  return {
    shown,
    /** To be told which rows are on screen, as often as one likes. */
    onRange: (first: number, last: number) => {
      const isDown = first >= before.current;
      before.current = first;
      const isNear = first >= shown.offset && last < shown.offset + LIMIT;
      const hasBelow = last + AHEAD_MIN <= shown.offset + LIMIT;
      const hasAbove = shown.offset === 0 || first - AHEAD_MIN >= shown.offset;
      if (isNear && (isDown ? hasBelow : hasAbove)) return;
      const from = isDown ? first - BEHIND : last + BEHIND - LIMIT;
      setPlace({ offset: Math.max(0, from), of: list });
    },
  };
}
