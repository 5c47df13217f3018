import { type PageNow, resourceIdOf, type Scan, type StreamEvents } from "@/lib/contract";
import type { Ledger } from "./ledger";
import type { Listing } from "./lock-index";
import type { LockRow } from "./row";
import type { ViewContext } from "./view";

/** Rows that have left the page are followed until so many times as many as it has were shown: a page may keep them in place. */
const REMEMBERED_PAGES = 2;

/** What a page shows of the list. */
export interface PageView extends Listing {
  readonly offset: number;
  readonly limit: number;
  /** Resources that are followed whatever the filter. */
  readonly watch: readonly string[];
}

type Difference = StreamEvents["locks"];

/**
 * The list as one page has it: what it was told, and so what has changed for it since.
 *
 * It holds no queue. A page that reads slowly asks seldom and gets the differences of all that time in one, so what it costs is bounded
 * by the rows it shows.
 */
export class PageFeed {
  readonly #ledger: Ledger;
  readonly #view: PageView;
  readonly #source: { context(): ViewContext; scan(): Scan };
  /** Version of each lock as it was told; the longest out of sight first. */
  readonly #told = new Map<string, number>();
  #toldPage = "";
  #toldScan = "";

  constructor(ledger: Ledger, view: PageView, source: { context(): ViewContext; scan(): Scan }) {
    this.#ledger = ledger;
    this.#view = view;
    this.#source = source;
  }

  /** Everything the page shows now. */
  first(): Omit<StreamEvents["snapshot"], "cluster"> {
    this.#told.clear();
    const { readAt, changed, scan, page } = this.#next();
    return { readAt, locks: changed, total: allOf(page), scan, page };
  }

  /** What has changed for the page; null when nothing has. */
  next(): Difference | null {
    const [page, scan] = [this.#toldPage, this.#toldScan];
    const difference = this.#next();
    const isSame = page === this.#toldPage && scan === this.#toldScan;
    return isSame && difference.changed.length === 0 && difference.removed.length === 0 ? null : difference;
  }

  #next(): Difference & { readonly page: PageNow } {
    const { offset, limit, watch } = this.#view;
    const context = this.#source.context();
    const rows = this.#ledger.rows.list(this.#view, context);
    const shown = rows.slice(offset, offset + limit);
    const watched = watch.flatMap((resource) => this.#ledger.rows.get(resource, context) ?? []);
    const { changed, removed } = this.#tell([...shown, ...watched], context);
    const ids = shown.map(({ resource }) => resourceIdOf(resource));
    const page = { offset, ids, total: rows.length, ...this.#ledger.rows.counters(context) };
    const scan = this.#source.scan();
    this.#toldPage = JSON.stringify(page);
    this.#toldScan = JSON.stringify(scan);
    return { readAt: context.readAt, changed, removed, scan, page };
  }

  #tell(inSight: readonly LockRow[], context: ViewContext): Pick<Difference, "changed" | "removed"> {
    const changed: LockRow[] = [];
    const removed: string[] = [];
    for (const row of inSight) {
      if (this.#told.get(row.resource) !== row.version) changed.push(row);
      this.#told.delete(row.resource);
    }
    for (const [resource, version] of this.#told) {
      const row = this.#ledger.rows.get(resource, context);
      if (row === undefined) {
        removed.push(resourceIdOf(resource));
        this.#told.delete(resource);
      } else if (row.version !== version) {
        changed.push(row);
        this.#told.set(resource, row.version);
      }
    }
    // Behind the others: what is in sight is forgotten last.
    for (const { resource, version } of inSight) this.#told.set(resource, version);
    this.#forget();
    return { changed: [...new Set(changed)].map((row) => this.#ledger.published(row, context)), removed };
  }

  #forget(): void {
    const { limit, watch } = this.#view;
    for (const resource of this.#told.keys()) {
      if (this.#told.size <= REMEMBERED_PAGES * limit + watch.length) return;
      this.#told.delete(resource);
    }
  }
}

function allOf({ counts }: PageNow): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
