import type { LockList, LockView, PageNow, Scan, StreamEvents } from "@/lib/contract";
import { type Received, received } from "./received";
import { type ListPlace, placeOfUrl } from "./stream-target";

/** Rows that have left the page are kept until there are so many times as many: the server remembers as many. */
const REMEMBERED_PAGES = 2;

/** The part of a list that the browser has when it does not know every lock. */
export interface LockPage extends Omit<PageNow, "offset"> {
  /** Which list and from where on: `ids` are its rows. */
  readonly place: ListPlace;
  /** Ids of the single locks that are known if they are there at all. */
  readonly watched: readonly string[];
}

/** The locks the browser knows, each with the moment it was read. */
export interface LockSet {
  readonly byId: ReadonlyMap<string, Received<LockView>>;
  readonly scan: Scan;
  /** Every lock the console has seen is in here; false: only a part, the server must search. */
  readonly isWhole: boolean;
  /** What is known where not every lock is; undefined before the server said so. */
  readonly page?: LockPage;
}

/**
 * @param url of the stream that brought it
 * @param nowMs monotonic milliseconds at receipt
 */
export function lockSetOfSnapshot(
  event: StreamEvents["snapshot"],
  url: string,
  nowMs: number = performance.now(),
): LockSet {
  const { locks, readAt, scan, total } = event;
  const byId = stamped(locks, readAt, nowMs);
  return { byId, scan, isWhole: event.page === undefined && locks.length >= total, page: pageOf(event.page, url) };
}

/**
 * @param place what was asked for
 * @param nowMs monotonic milliseconds at receipt; null for what came with the page and has no moment yet
 */
export function lockSetOfList(list: LockList, place: ListPlace, nowMs: number | null = performance.now()): LockSet {
  const { locks, readAt, scan, total, counts, noExpiry, problems, nextCursor } = list;
  const isWhole = nextCursor === null && locks.length === allOf(counts);
  const ids = locks.map(({ id }) => id);
  return {
    byId: stamped(locks, readAt, nowMs),
    scan,
    isWhole,
    page: isWhole ? undefined : { place, watched: [], ids, total, counts, noExpiry, problems },
  };
}

/**
 * The set after a difference. A difference without anything to apply it to is dropped: a snapshot follows every connection.
 *
 * @param url of the stream that brought it
 * @param nowMs monotonic milliseconds at receipt
 */
export function mergeLocks(
  set: LockSet | undefined,
  event: StreamEvents["locks"],
  url: string,
  nowMs: number = performance.now(),
): LockSet | undefined {
  if (set === undefined) return undefined;
  const byId = new Map(set.byId);
  for (const id of event.removed) byId.delete(id);
  for (const lock of event.changed) {
    const known = byId.get(lock.id);
    // A polled answer may have overtaken the stream; the younger reading wins.
    if (known !== undefined && known.value.readAt > lock.readAt) continue;
    byId.set(lock.id, received(lock, event.readAt - lock.readAt, nowMs));
  }
  if (event.page === undefined) return { ...set, byId, scan: event.scan };
  const page = pageOf(event.page, url);
  return { byId: trimmed(byId, page), scan: event.scan, isWhole: false, page };
}

/** How many locks there are, known or not. */
export function sizeOf({ byId, page }: LockSet): number {
  return page === undefined ? byId.size : allOf(page.counts);
}

function pageOf(now: PageNow | undefined, url: string): LockPage | undefined {
  const asked = placeOfUrl(url);
  if (now === undefined || asked === null) return undefined;
  const { ids, total, counts, noExpiry, problems } = now;
  return { ...asked, ids, total, counts, noExpiry, problems };
}

function trimmed(byId: Map<string, Received<LockView>>, page: LockPage | undefined): typeof byId {
  if (page === undefined) return byId;
  // To the young end: a Map keeps the order of insertion.
  for (const id of [...page.ids, ...page.watched]) {
    const lock = byId.get(id);
    if (lock === undefined) continue;
    byId.delete(id);
    byId.set(id, lock);
  }
  const most = REMEMBERED_PAGES * page.place.limit + page.watched.length;
  for (const id of byId.keys()) {
    if (byId.size <= most) break;
    byId.delete(id);
  }
  return byId;
}

function allOf(counts: PageNow["counts"]): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function stamped(locks: readonly LockView[], readAt: number, nowMs: number | null): Map<string, Received<LockView>> {
  const at = (lock: LockView): Received<LockView> =>
    nowMs === null ? { value: lock, takenAt: null } : received(lock, readAt - lock.readAt, nowMs);
  return new Map(locks.map((lock) => [lock.id, at(lock)]));
}
