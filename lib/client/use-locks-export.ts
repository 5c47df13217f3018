import type { ListFilter } from "@/lib/contract";
import { type ExportedFile, type ExportedList, type ExportFormat, exportedFile } from "./export-locks";
import type { LockSet } from "./lock-set";
import { readPages } from "./read-pages";
import { ageOf } from "./received";
import { findLocks, useLockSet } from "./use-locks";

const PAGE_LOCKS = 1000;
/** A file of more than 200,000 rows helps nobody, and this page must hold it in memory. */
const PAGES_MAX = 200;

/**
 * Makes a file of every lock that fits the filter, shown or not: of what the browser knows, else asked page by page.
 *
 * @returns null until the list is known; the function throws ApiError
 */
export function useLocksExport(asked: ListFilter): ((format: ExportFormat) => Promise<ExportedFile>) | null {
  const state = useLockSet();
  if (state.kind !== "ready") return null;
  return async (format) => exportedFile(await wholeList(state.set, asked), format);
}

async function wholeList(set: LockSet, asked: ListFilter): Promise<ExportedList> {
  const filter = { q: asked.q, show: asked.preset, sort: asked.sort };
  if (!set.isWhole) {
    const { locks, isWhole, last } = await readPages(asked, PAGE_LOCKS, PAGES_MAX);
    return { locks, isWhole, scan: last.scan, at: last.readAt, filter };
  }
  const nowMs = performance.now();
  const { locks, scan } = findLocks(set, asked, nowMs);
  // By the server's clock, as everywhere: the newest reading and the time that has passed since.
  const at = Math.max(0, ...[...set.byId.values()].map((lock) => lock.value.readAt + ageOf(lock, nowMs)));
  return { locks: locks.map(({ value }) => value), scan, at: Math.round(at), isWhole: true, filter };
}
