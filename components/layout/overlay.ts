import { useSyncExternalStore } from "react";

/** The dialogs that can be opened from everywhere; one at a time. */
export type Overlay =
  | { readonly kind: "palette" }
  | { readonly kind: "help" }
  /** @param resource filled in already */
  | { readonly kind: "acquire"; readonly resource: string };

let current: Overlay | null = null;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function currentNow(): Overlay | null {
  return current;
}

/** Opens a dialog in place of the one that is open. Not React state: buttons far apart open the same one. */
export function openOverlay(overlay: Overlay): void {
  current = overlay;
  for (const listener of listeners) listener();
}

/** Closes whichever is open. */
export function closeOverlay(): void {
  current = null;
  for (const listener of listeners) listener();
}

/** The open dialog; null when there is none. */
export function useOverlay(): Overlay | null {
  return useSyncExternalStore(subscribe, currentNow, () => null);
}
