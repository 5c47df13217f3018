import type { LucideIcon } from "lucide-react";
import type { LockSet } from "@/lib/client";
import { isProblem, SEVERITY } from "@/lib/contract";

/** One line of the palette. None of them changes a lock or a node at once: that is done where its consequences are shown. */
export interface PaletteEntry {
  /** Unique in the palette. */
  readonly id: string;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Found by these words too. */
  readonly words?: string;
  /** Stands at the end of the line. */
  readonly note?: string;
  /** Why it cannot be chosen now. */
  readonly disabledReason?: string | null;
  readonly run: () => void;
}

/** @returns true when every word of the query is in the name, in any order */
function fitsName(name: string, query: string): boolean {
  const text = name.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** @returns true when every word of the query begins a word of the entry, in any order: `node d` is one node, not five */
export function fitsEntry({ label, words = "" }: Pick<PaletteEntry, "label" | "words">, query: string): boolean {
  const known = `${label} ${words}`.toLowerCase().split(/[\s“”…]+/);
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => known.some((text) => text.startsWith(word)));
}

/**
 * Ids of the locks that fit best: the exact name, then names that begin so, then names that contain it. Without a query the locks
 * with problems, worst first.
 *
 * @param limit how many at most
 */
export function findByName({ byId }: LockSet, query: string, limit: number): readonly string[] {
  const locks = [...byId.values()].map(({ value }) => value).filter(({ verdict }) => verdict !== "free");
  if (query === "") {
    return locks
      .filter(isProblem)
      .sort((a, b) => SEVERITY.indexOf(a.verdict) - SEVERITY.indexOf(b.verdict))
      .slice(0, limit)
      .map(({ id }) => id);
  }
  return locks
    .filter(({ resource }) => fitsName(resource, query))
    .map(({ id, resource }) => ({ id, resource, rank: rankOf(resource, query) }))
    .sort((a, b) => a.rank - b.rank || a.resource.length - b.resource.length || (a.resource < b.resource ? -1 : 1))
    .slice(0, limit)
    .map(({ id }) => id);
}

function rankOf(resource: string, query: string): number {
  if (resource === query) return 0;
  return resource.toLowerCase().startsWith(query.toLowerCase()) ? 1 : 2;
}
