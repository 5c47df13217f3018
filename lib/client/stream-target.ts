import { useEffect } from "react";
import { type ListFilter, listQuery } from "@/lib/contract";
import { keys, LIST_LOCKS_MAX } from "./keys";

/** Rows of a list: `limit` of them from `offset` on. */
export interface ListWindow {
  readonly offset: number;
  readonly limit: number;
}

/** What one page of a list is, in the words of a query. */
export interface ListPlace extends ListWindow {
  /** Filter and order, as `listQuery` spells them. */
  readonly list: string;
}

/** What `keys.locks` answers: the list as it is without a filter. */
export const FIRST_PLACE: ListPlace = {
  list: listQuery({ q: "", preset: "all", sort: "verdict" }),
  offset: 0,
  limit: LIST_LOCKS_MAX,
};

/** Shown where no list is open: what the overview and the palette put first. */
const PROBLEMS: ListPlace = {
  list: listQuery({ q: "", preset: "problems", sort: "verdict" }),
  offset: 0,
  limit: 50,
};
/** A set that has shrunk to this part of what the browser keeps is kept whole again: it must not flap. */
const WHOLE_AGAIN = 0.8;
/** So many single locks one stream follows at most. */
const WATCHED_MAX = 50;

/**
 * What this page asks the event stream for. Every lock while they are few enough for the browser to keep, filter and sort; beyond
 * that the rows on screen and the single locks somebody looks at.
 */
class StreamTarget {
  #isPaged = false;
  #place = PROBLEMS;
  /** How many look at each lock. */
  readonly #watched = new Map<string, number>();
  readonly #listeners = new Set<() => void>();

  /** The browser does not know every lock. */
  get isPaged(): boolean {
    return this.#isPaged;
  }

  /** The page that is shown while there are too many locks. */
  get place(): ListPlace {
    return this.#place;
  }

  get url(): string {
    if (!this.#isPaged) return keys.events;
    const { list, offset, limit } = this.#place;
    const watch = [...this.#watched.keys()].slice(0, WATCHED_MAX).map(encodeURIComponent).join(",");
    return keys.eventsOf(`${list}&offset=${offset}&limit=${limit}${watch === "" ? "" : `&watch=${watch}`}`);
  }

  /** @param capacity how many locks the browser gets at once the way it is fed now */
  noteSize(total: number, capacity: number): void {
    const isPaged = total > (this.#isPaged ? WHOLE_AGAIN : 1) * capacity;
    if (isPaged === this.#isPaged) return;
    this.#isPaged = isPaged;
    this.#tell();
  }

  /** @param place null when no list is open any more */
  show(place: ListPlace | null): void {
    this.#place = place ?? PROBLEMS;
    if (this.#isPaged) this.#tell();
  }

  /** @returns ends it */
  watch(id: string): () => void {
    this.#watched.set(id, (this.#watched.get(id) ?? 0) + 1);
    if (this.#isPaged) this.#tell();
    return () => {
      const rest = (this.#watched.get(id) ?? 1) - 1;
      if (rest > 0) this.#watched.set(id, rest);
      else this.#watched.delete(id);
      if (this.#isPaged) this.#tell();
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  reset(): void {
    this.#isPaged = false;
    this.#place = PROBLEMS;
    this.#watched.clear();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The one of this tab. */
export const streamTarget = new StreamTarget();

/** What a stream was asked for; null for every lock. @param url as `StreamTarget` makes it */
export function placeOfUrl(url: string): { readonly place: ListPlace; readonly watched: readonly string[] } | null {
  const [, text] = url.split("?");
  if (text === undefined) return null;
  const query = new URLSearchParams(text);
  const [offset, limit, watch] = ["offset", "limit", "watch"].map((name) => query.get(name) ?? "");
  for (const name of ["offset", "limit", "watch"]) query.delete(name);
  return {
    place: { list: query.toString(), offset: Number(offset), limit: Number(limit) },
    watched: watch === undefined || watch === "" ? [] : watch.split(","),
  };
}

/** Has the stream follow one lock while the component is there, however many there are. */
export function useWatchedLock(id: string): void {
  useEffect(() => streamTarget.watch(id), [id]);
}

/** Has the stream bring these rows of a list while the component is there. */
export function useShownPlace(filter: ListFilter, { offset, limit }: ListWindow): void {
  const list = listQuery(filter);
  useEffect(() => streamTarget.show({ list, offset, limit }), [list, offset, limit]);
  useEffect(() => () => streamTarget.show(null), []);
}
