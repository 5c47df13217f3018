import { useSyncExternalStore } from "react";

/** Whether verdict changes are read out, remembered in this browser. */
const STORAGE_KEY = "redlock-console:announcements";

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function isMutedNow(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) === "muted";
  } catch {
    return false; // storage forbidden: not muted, and not remembered
  }
}

/** Switches the announcements off or on again. */
export function muteAnnouncements(isMuted: boolean): void {
  try {
    if (isMuted) localStorage.setItem(STORAGE_KEY, "muted");
    else localStorage.removeItem(STORAGE_KEY);
  } catch {
    // storage forbidden: nothing to remember it in
  }
  for (const listener of listeners) listener();
}

/** True while the reader does not want verdict changes read out. */
export function useIsMuted(): boolean {
  return useSyncExternalStore(subscribe, isMutedNow, () => false);
}
