import { type RefObject, useEffect } from "react";

/**
 * Moves the focus along the rows with `j` and `k` and selects the focused one with `x`; Enter opens, because the focus is on the
 * row's link. None of them changes a lock.
 */
export function useRowKeys(container: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const step = { j: 1, k: -1, x: 0 }[event.key];
      if (step === undefined || isTyping(event)) return;
      const links = [...(container.current?.querySelectorAll<HTMLElement>("[data-row-link]") ?? [])];
      const row = document.activeElement?.closest("[data-row]");
      if (step === 0) {
        row?.querySelector<HTMLInputElement>("[data-row-select]")?.click();
        return;
      }
      const at = links.findIndex((link) => row?.contains(link));
      const next = at === -1 ? links.at(step > 0 ? 0 : -1) : links[at + step];
      next?.focus();
      next?.scrollIntoView({ block: "nearest" });
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [container]);
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
