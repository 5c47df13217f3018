import type { AuditEntry } from "@/lib/contract";
import { type AuditFilter, type AuditLog, newestMatching, RECENT_ENTRIES_MAX } from "./audit-log";

/** A record that ends with the process, for tests. */
export class MemoryAuditLog implements AuditLog {
  readonly #entries: AuditEntry[] = [];

  async append(entry: AuditEntry): Promise<void> {
    this.#entries.push(entry);
    if (this.#entries.length > RECENT_ENTRIES_MAX) this.#entries.shift();
  }

  async list(filter: AuditFilter): Promise<readonly AuditEntry[]> {
    return newestMatching(this.#entries, filter);
  }

  async close(): Promise<void> {
    // Nothing is open.
  }
}
