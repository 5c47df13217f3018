import { useEffect } from "react";

/** Calls back for Escape, unless something on top of the page, a dialog or a tooltip, has closed for it. */
export function useEscape(onEscape: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // What closes says so by preventing the default.
      if (event.key === "Escape" && !event.defaultPrevented) onEscape();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [onEscape]);
}
