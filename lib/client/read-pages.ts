import { type ListFilter, type LockList, type LockView, listQuery } from "@/lib/contract";
import { keys } from "./keys";
import { request } from "./request";

/** Rows of a list as the server gave them one after another. */
interface ReadPages {
  readonly locks: readonly LockView[];
  /** How many fit, by the word of the last page. */
  readonly total: number;
  /** No row behind these fits. */
  readonly isWhole: boolean;
  readonly last: LockList;
}

/**
 * Asks the server for a list page by page. Rows that come and go between two pages neither repeat nor hide others: the cursor names a
 * row, not a place.
 *
 * @param pageLocks rows of a page, 1000 at most
 * @param pagesMax no more pages than this are read
 * @throws ApiError
 */
export async function readPages(asked: ListFilter, pageLocks: number, pagesMax: number): Promise<ReadPages> {
  const query = `${listQuery(asked)}&limit=${pageLocks}`;
  const locks = new Map<string, LockView>();
  let page = await request<LockList>(keys.lockPage(query));
  for (let pages = 1; ; pages += 1) {
    for (const lock of page.locks) locks.set(lock.id, lock);
    const { nextCursor, total } = page;
    if (nextCursor === null || pages >= pagesMax) {
      return { locks: [...locks.values()], total, isWhole: nextCursor === null, last: page };
    }
    page = await request<LockList>(keys.lockPage(`${query}&cursor=${encodeURIComponent(nextCursor)}`));
  }
}
