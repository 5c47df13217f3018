import { useSyncExternalStore } from "react";

/** Below this width rows become cards. */
const NARROW = "(max-width: 767px)";

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(NARROW);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

/** True on a screen too narrow for a table; false on the server, which does not know. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(NARROW).matches,
    () => false,
  );
}
