import type { AuditEntry } from "@/lib/contract";

/** Which entries to list; everything is optional but the number. */
export interface AuditFilter {
  readonly resource?: string;
  /** An action, or the beginning of one up to a dot: `lock` means every `lock.…`. */
  readonly action?: string;
  readonly limit: number;
}

/** The append-only record of what operators did. */
export interface AuditLog {
  /**
   * Adds one entry. Resolves only when it would survive a crash of this process and of the machine.
   * @throws when it could not be written; the caller must not act then
   */
  append(entry: AuditEntry): Promise<void>;
  /** The newest matching entries, newest first. */
  list(filter: AuditFilter): Promise<readonly AuditEntry[]>;
  close(): Promise<void>;
}

/** Entries kept in memory for listing; older ones stay in the record itself. */
export const RECENT_ENTRIES_MAX = 2000;

/** @returns the newest `limit` of `entries` (oldest first) that match, newest first */
export function newestMatching(entries: readonly AuditEntry[], filter: AuditFilter): readonly AuditEntry[] {
  const found: AuditEntry[] = [];
  for (let index = entries.length - 1; index >= 0 && found.length < filter.limit; index -= 1) {
    const entry = entries[index];
    if (entry !== undefined && matches(entry, filter)) found.push(entry);
  }
  return found;
}

function matches(entry: AuditEntry, { resource, action }: AuditFilter): boolean {
  if (resource !== undefined && entry.target !== resource) return false;
  return action === undefined || entry.action === action || entry.action.startsWith(`${action}.`);
}
