import type { ListFilter, LockView } from "@/lib/contract";
import { readPages } from "./read-pages";

/** The beginning of a list, or all of it. */
export interface FirstLocks {
  readonly locks: readonly LockView[];
  /** How many fit, these among them. */
  readonly total: number;
}

/**
 * The first locks that fit, in order, by the word of the server.
 *
 * @param max 1000 at most
 * @throws ApiError
 */
export async function readFirstLocks(asked: ListFilter, max: number): Promise<FirstLocks> {
  const { locks, total, isWhole } = await readPages(asked, max, 1);
  // Free ones are on their way out of the list; who counts what fits does not mean them.
  const there = locks.filter(({ verdict }) => verdict !== "free");
  return { locks: there, total: isWhole ? there.length : total };
}
