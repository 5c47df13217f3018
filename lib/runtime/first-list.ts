import { type ListFilter, type LockList, listQuery, locksQuerySchema, PRESETS } from "@/lib/contract";
import type { Inventory } from "@/lib/inventory";

/** So many locks go into a page as a whole; of more only the rows that are seen first. */
const WHOLE_MAX = 1000;
const ROWS = 60;

/** A list with what it was asked for. */
interface FirstList {
  readonly list: LockList;
  readonly place: { readonly list: string; readonly offset: number; readonly limit: number };
}

/**
 * What a page that shows locks begins with: all of them, or the first rows of what its URL asks for where they are many.
 *
 * @param asked the page's `q`, `show` and `sort`, as they stand in the URL; what is no such word counts as not given
 */
export async function firstList(inventory: Inventory, asked: Readonly<Record<string, unknown>>): Promise<FirstList> {
  const all = placeOf({ q: "", preset: "all", sort: "verdict" }, WHOLE_MAX);
  const whole = await inventory.list(all.query);
  if (whole.nextCursor === null) return { list: whole, place: all.place };
  const first = placeOf(filterOf(asked), ROWS);
  return { list: await inventory.list(first.query), place: first.place };
}

function placeOf(filter: ListFilter, limit: number) {
  const list = listQuery(filter);
  const query = locksQuerySchema.parse({ ...Object.fromEntries(new URLSearchParams(list)), limit });
  return { query, place: { list, offset: 0, limit } };
}

function filterOf({ q, show, sort }: Readonly<Record<string, unknown>>): ListFilter {
  const words = locksQuerySchema.shape.q.safeParse(q);
  const order = locksQuerySchema.shape.sort.safeParse(sort);
  return {
    q: words.success ? words.data : "",
    preset: PRESETS.find((preset) => preset === show) ?? "all",
    sort: order.success ? order.data : "verdict",
  };
}
