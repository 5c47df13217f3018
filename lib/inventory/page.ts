import {
  AppError,
  isProblem,
  type LOCK_SORTS,
  type LocksQuery,
  type LockView,
  SEVERITY,
  searchTest,
  VERDICTS,
} from "@/lib/contract";

type Sort = (typeof LOCK_SORTS)[number];
type SortKey = string | number;

/** A lock with the time at which its last key dies, which unlike the remaining time is the same on the next page. */
export interface LockRow {
  readonly view: LockView;
  /** Monotonic milliseconds, infinite without an expiry. */
  readonly endAt: number;
}

/** One page of the locks that fit a query. */
export interface LockPage {
  readonly locks: LockView[];
  readonly total: number;
  readonly counts: Record<LockView["verdict"], number>;
  readonly problems: number;
  readonly nextCursor: string | null;
}

/**
 * Filters, sorts and cuts.
 *
 * A cursor names the last row of a page by its sort key and resource, so rows that come and go in between neither repeat
 * nor hide others.
 *
 * @throws AppError invalid_request for a cursor of another query
 */
export function pageOf(rows: readonly LockRow[], query: LocksQuery): LockPage {
  const matches = filterOf(query);
  const isDescending = query.sort.startsWith("-");
  const sort = (isDescending ? query.sort.slice(1) : query.sort) as Sort;
  const direction = isDescending ? -1 : 1;
  const keyed = rows
    .filter(({ view }) => matches(view))
    .map((row) => ({ key: sortKeyOf(row, sort), view: row.view }))
    .sort((a, b) => direction * compare(a.key, b.key) || compare(a.view.resource, b.view.resource));

  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, query.sort);
  const isPast = (key: SortKey, resource: string) =>
    after === null || (direction * compare(key, after.key) || compare(resource, after.resource)) > 0;
  const start = keyed.findIndex(({ key, view }) => isPast(key, view.resource));
  const page = start < 0 ? [] : keyed.slice(start, start + query.limit);
  const last = page.at(-1);
  const hasMore = start >= 0 && start + page.length < keyed.length;
  return {
    locks: page.map(({ view }) => view),
    total: keyed.length,
    counts: countsOf(rows),
    problems: rows.filter(({ view }) => isProblem(view)).length,
    nextCursor: hasMore && last !== undefined ? encodeCursor(query.sort, last.key, last.view.resource) : null,
  };
}

/** How many locks there are of each verdict. */
export function countsOf(rows: readonly LockRow[]): LockPage["counts"] {
  const counts = Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as LockPage["counts"];
  for (const { view } of rows) counts[view.verdict] += 1;
  return counts;
}

function filterOf({ q, verdict, layout, node }: LocksQuery): (lock: LockView) => boolean {
  const fits = searchTest(q);
  return (lock) =>
    (verdict === undefined || verdict.length === 0 || verdict.includes(lock.verdict)) &&
    (layout === undefined || lock.layout?.id === layout) &&
    (node === undefined ||
      lock.nodes.some((at) => at.node === node && (at.reading === "token" || at.reading === "foreign"))) &&
    fits(lock);
}

function sortKeyOf({ view, endAt }: LockRow, sort: Sort): SortKey {
  switch (sort) {
    case "verdict":
      return SEVERITY.indexOf(view.verdict);
    case "resource":
      return view.resource;
    case "holder":
      return view.holder?.label ?? view.holder?.fingerprint ?? "";
    case "remaining":
      return Number.isFinite(endAt) ? Math.round(endAt) : Number.MAX_SAFE_INTEGER;
    case "since":
      return view.firstSeenAt ?? 0;
    case "client":
      return view.layout?.label ?? "";
    default:
      return sort satisfies never;
  }
}

function compare(a: SortKey, b: SortKey): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function encodeCursor(sort: string, key: SortKey, resource: string): string {
  return Buffer.from(JSON.stringify([sort, key, resource])).toString("base64url");
}

function decodeCursor(cursor: string, sort: string): { readonly key: SortKey; readonly resource: string } {
  const [forSort, key, resource] = listIn(cursor);
  const isKey = typeof key === "string" || typeof key === "number";
  if (forSort === sort && isKey && typeof resource === "string") return { key, resource };
  throw new AppError("invalid_request", "The cursor does not belong to this query. Start again without one.", {
    details: [{ field: "cursor", value: null, rule: "must be the nextCursor of an answer to the same query" }],
  });
}

function listIn(cursor: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return []; // not one of ours
  }
}
