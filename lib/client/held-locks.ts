import { useSyncExternalStore } from "react";

/** A lock this tab acquired. */
export interface HeldLock {
  readonly id: string;
  readonly resources: readonly string[];
  readonly token: string;
  readonly fingerprint: string;
  readonly ttlMs: number;
  readonly keepAlive: boolean;
  readonly note: string | null;
  readonly validityMs: number;
  /** Monotonic milliseconds when `validityMs` began to run; null after a reload, whose clock starts anew. */
  readonly validFrom: number | null;
}

const STORAGE_KEY = "redlock-console:held";
const NONE: readonly HeldLock[] = [];

/**
 * The locks this tab holds.
 *
 * Kept in sessionStorage, because the token is the right to release and nobody else remembers it: losing it to a reload would
 * leave the lock to its expiry. Not localStorage: another tab, or the next user of this browser, has no business with it.
 */
class HeldLocks {
  #locks: readonly HeldLock[] | undefined;
  readonly #listeners = new Set<() => void>();

  readonly get = (): readonly HeldLock[] => {
    this.#locks ??= restore();
    return this.#locks;
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Adds a lock, or replaces what was known of the same token. */
  put(lock: HeldLock): void {
    this.#set([...this.get().filter(({ token }) => token !== lock.token), lock]);
  }

  forget(token: string): void {
    this.#set(this.get().filter((lock) => lock.token !== token));
  }

  #set(locks: readonly HeldLock[]): void {
    this.#locks = locks;
    persist(locks);
    for (const listener of this.#listeners) listener();
  }
}

function persist(locks: readonly HeldLock[]): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(locks.map((lock) => ({ ...lock, validFrom: null }))));
  } catch {
    // Storage full or forbidden: the lock is still held and shown, only a reload would lose it.
  }
}

function restore(): readonly HeldLock[] {
  try {
    const text = sessionStorage.getItem(STORAGE_KEY);
    return text === null ? NONE : (JSON.parse(text) as HeldLock[]);
  } catch {
    return NONE; // forbidden or broken: nothing to restore
  }
}

/** The one store of this tab. */
export const heldLocks = new HeldLocks();

/** Locks acquired in this tab and neither released nor dismissed. */
export function useHeldLocks(): readonly HeldLock[] {
  return useSyncExternalStore(heldLocks.subscribe, heldLocks.get, () => NONE);
}
