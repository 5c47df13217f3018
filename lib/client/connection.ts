import { useSyncExternalStore } from "react";
import { type ConnectionState, SILENCE_MS_MAX } from "./live-stream";
import { ticker } from "./ticker";

/** Connection and age of the data are two different things; both are shown. */
export interface Connection {
  readonly state: ConnectionState;
  /** Monotonic milliseconds when the page first tried to listen; null before that. */
  readonly openedAt: number | null;
  /** Monotonic milliseconds of the last word from the console; null before the first. */
  readonly lastHeardAt: number | null;
  /** Why the data on screen must not be taken for the present; null while it may. */
  readonly staleBecause: string | null;
}

/** A reconnect that takes less is not worth greying out the page. */
const GRACE_MS = 3000;

const INITIAL: Connection = { state: "connecting", openedAt: null, lastHeardAt: null, staleBecause: null };

/** What the page knows of its own connection. Not in the SWR cache: it is no answer of the server. */
class ConnectionStore {
  #connection = INITIAL;
  readonly #listeners = new Set<() => void>();

  readonly get = (): Connection => this.#connection;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  enter(state: ConnectionState): void {
    this.#set({ ...this.#connection, state, openedAt: this.#connection.openedAt ?? performance.now() });
  }

  heard(nowMs = performance.now()): void {
    this.#set({ ...this.#connection, lastHeardAt: nowMs });
  }

  /** Looks at the age again; called by a timer, because silence makes no event. */
  review(): void {
    this.#set(this.#connection);
  }

  reset(): void {
    this.#set(INITIAL);
  }

  #set(next: Connection): void {
    const connection = { ...next, staleBecause: staleReason(next, performance.now()) };
    const before = this.#connection;
    const isSame =
      before.state === connection.state &&
      before.staleBecause === connection.staleBecause &&
      before.lastHeardAt === connection.lastHeardAt;
    if (isSame) return;
    this.#connection = connection;
    ticker.freeze(connection.staleBecause !== null);
    for (const listener of this.#listeners) listener();
  }
}

/** @param nowMs monotonic milliseconds */
export function staleReason(
  { state, openedAt, lastHeardAt }: Omit<Connection, "staleBecause">,
  nowMs: number,
): string | null {
  // A page comes with values of the moment it was made; when no word follows them they get old like any others.
  const since = lastHeardAt ?? openedAt;
  if (since === null) return null;
  const ageMs = nowMs - since;
  switch (state) {
    case "live":
    case "polling":
      return ageMs > SILENCE_MS_MAX ? "the console has been silent" : null;
    case "offline":
      return ageMs > GRACE_MS ? "the console cannot be reached" : null;
    case "connecting":
      return ageMs > SILENCE_MS_MAX ? "the console has not answered yet" : null;
    case "reconnecting":
    case "resting":
      return ageMs > GRACE_MS ? "the connection to the console broke" : null;
    default:
      return state satisfies never;
  }
}

/** The one connection of this page. */
export const connectionStore = new ConnectionStore();

/** How the page is connected and how old its data is. */
export function useConnection(): Connection {
  return useSyncExternalStore(connectionStore.subscribe, connectionStore.get, () => INITIAL);
}
