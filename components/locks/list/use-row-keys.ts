import { type RefObject, useEffect, useRef } from "react";

interface Rows {
  readonly count: number;
  /** First and last row on screen. */
  readonly first: number;
  readonly last: number;
  readonly scrollTo: (index: number) => void;
}

/**
 * Moves the focus along the rows with `j` and `k`, to the ends of the list with Home and End, and selects the focused row with `x`;
 * Enter opens, because the focus is on the row's link. None of them changes a lock.
 */
export function useRowKeys(list: RefObject<HTMLElement | null>, rows: Rows): void {
  /** A row that is to get the focus as soon as it is drawn. */
  const wanted = useRef<number | null>(null);
  const focusWanted = () => {
    if (wanted.current === null) return;
    const link = list.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"] [data-row-link]`);
    if (link == null) return;
    wanted.current = null;
    link.focus({ preventScroll: true });
  };
  useEffect(focusWanted);
  const onKey = useRef((_: KeyboardEvent) => {});
  onKey.current = (event) => {
    if (isTyping(event)) return;
    const row = document.activeElement?.closest<HTMLElement>("[data-row]") ?? null;
    if (event.key === "x") row?.querySelector<HTMLInputElement>("[data-row-select]")?.click();
    const at = wanted.current ?? (row === null ? null : Number(row.dataset.index));
    const index = targetOf(event.key, at, rows);
    if (index === null) return;
    event.preventDefault();
    wanted.current = index;
    rows.scrollTo(index);
    focusWanted();
  };
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey.current(event);
    const forget = () => {
      wanted.current = null;
    };
    document.addEventListener("keydown", listener);
    // Whoever clicks somewhere else no longer waits for a row.
    document.addEventListener("pointerdown", forget);
    return () => {
      document.removeEventListener("keydown", listener);
      document.removeEventListener("pointerdown", forget);
    };
  }, []);
}

/** The row a key leads to; null when it is none of ours. @param at the row that has the focus, or is about to get it */
function targetOf(key: string, at: number | null, { count, first, last }: Rows): number | null {
  if (count === 0) return null;
  switch (key) {
    case "j":
      return at === null ? first : Math.min(count - 1, at + 1);
    case "k":
      return at === null ? Math.min(count - 1, last) : Math.max(0, at - 1);
    // Without a row in focus they scroll the page, as everywhere.
    case "Home":
      return at === null ? null : 0;
    case "End":
      return at === null ? null : count - 1;
    default:
      return null;
  }
}

/** Shortcuts sleep while somebody types, uses a modifier, or has a dialog open. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  const target = event.target instanceof Element ? event.target : null;
  return (
    target?.closest(
      "input:not([type='checkbox']), textarea, select, [contenteditable], [role='dialog'], [role='menu']",
    ) != null
  );
}
