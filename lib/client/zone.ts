import { useSyncExternalStore } from "react";
import type { Zone } from "./moment";

const STORAGE_KEY = "redlock-console:zone";

/** Whose clock absolute times are shown in. Chosen by the reader and remembered in this browser, or given by a link for this tab. */
class ZoneChoice {
  #zone: Zone | undefined;
  readonly #listeners = new Set<() => void>();

  readonly get = (): Zone => {
    this.#zone ??= restore();
    return this.#zone;
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The reader's own choice: remembered. */
  choose(zone: Zone): void {
    try {
      localStorage.setItem(STORAGE_KEY, zone);
    } catch {
      // storage forbidden: the choice lasts as long as this tab
    }
    this.follow(zone);
  }

  /** What a link says: holds in this tab and changes nobody's habit. */
  follow(zone: Zone): void {
    this.#zone = zone;
    for (const listener of this.#listeners) listener();
  }

  /** Forgets the tab's zone, not what the browser remembers. For tests. */
  reset(): void {
    this.#zone = undefined;
  }
}

function restore(): Zone {
  try {
    return localStorage.getItem(STORAGE_KEY) === "utc" ? "utc" : "local";
  } catch {
    return "local"; // storage forbidden: nothing was remembered
  }
}

/** The one choice of this tab. */
export const zoneChoice = new ZoneChoice();

/** The zone of every absolute time on the page; `local` on the server, which does not know. */
export function useZone(): Zone {
  return useSyncExternalStore(zoneChoice.subscribe, zoneChoice.get, () => "local");
}
