import { AppError, type LockList, type LocksQuery } from "@/lib/contract";
import type { Ledger } from "./ledger";
import { firstPlace, type Order, orderOf, type SortKey } from "./order";
import type { LockRow } from "./row";
import type { ViewContext } from "./view";

/** One page of the locks that fit a query. */
export type LockPage = Omit<LockList, "readAt" | "scan">;

/**
 * The page of the published locks that a query names, as of `context`.
 *
 * A cursor names the last row of a page by its sort key and resource, so rows that come and go in between neither repeat
 * nor hide others; an offset names a place, whatever stands there.
 *
 * @throws AppError invalid_request for a cursor of another query
 */
export function pageOf(ledger: Ledger, query: LocksQuery, context: ViewContext): LockPage {
  const order = orderOf(query.sort);
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, query.sort);
  const rows = ledger.rows.list(query, context);
  const start =
    after === null
      ? (query.offset ?? 0)
      : firstPlace(rows, (row) => order.compareTo(row, after.key, after.resource) > 0);
  const page = rows.slice(start, start + query.limit);
  const last = page.at(-1);
  const hasMore = start + page.length < rows.length;
  return {
    locks: page.map((row) => ledger.published(row, context)),
    total: rows.length,
    ...ledger.rows.counters(context),
    nextCursor: hasMore && last !== undefined ? encodeCursor(order, last) : null,
  };
}

function encodeCursor(order: Order, row: LockRow): string {
  return Buffer.from(JSON.stringify([order.name, order.keyOf(row), row.resource])).toString("base64url");
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
