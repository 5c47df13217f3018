// lib/audit: the append-only record of what operators did.
// Promises: an entry that was accepted survives a crash; nothing here changes or removes one; a torn last line spoils only itself.
export type { AuditFilter, AuditLog } from "./audit-log";
export { FileAuditLog } from "./file-audit-log";
export { MemoryAuditLog } from "./memory-audit-log";
