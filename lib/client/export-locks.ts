import type { LockView, Scan } from "@/lib/contract";

/** What a list is saved as. */
export type ExportFormat = "csv" | "json";

/** A filtered list, whole, as it is saved. */
export interface ExportedList {
  readonly locks: readonly LockView[];
  readonly scan: Scan;
  /** Epoch milliseconds by the server's clock. */
  readonly at: number;
  /** False when the list was too long to be read to its end. */
  readonly isWhole: boolean;
  /** What was asked for, in the words of the page's URL. */
  readonly filter: Readonly<Record<"q" | "show" | "sort", string>>;
}

/** A file that is ready to be saved. */
export interface ExportedFile {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** The whole file, its name with the time and, where the reading was not complete, the word `partial`. */
export function exportedFile(list: ExportedList, format: ExportFormat): ExportedFile {
  const time = new Date(list.at).toISOString().slice(0, 19).replaceAll(":", "-");
  const isPartial = !list.isWhole || list.scan.complete < list.scan.n || list.scan.unjudged !== undefined;
  const name = `locks-${time}Z${isPartial ? "-partial" : ""}.${format}`;
  return format === "csv"
    ? { name, type: "text/csv;charset=utf-8", text: csvOf(list.locks) }
    : { name, type: "application/json", text: jsonOf(list) };
}

type Value = string | number | boolean | null;
type Column = readonly [name: string, value: (lock: LockView) => Value];

// Named one by one: a field added to the API does not get into files that leave the house unless somebody puts it here.
const COLUMNS: readonly Column[] = [
  ["resource", ({ resource }) => resource],
  ["verdict", ({ verdict }) => verdict],
  ["holderFingerprint", ({ holder }) => holder?.fingerprint ?? null],
  ["holderLabel", ({ holder }) => holder?.label ?? null],
  ["votes", ({ votes }) => votes],
  ["margin", ({ margin }) => margin],
  ["heldForAtLeastMs", ({ heldForAtLeastMs }) => heldForAtLeastMs],
  ["freeFromMs", ({ freeFromMs }) => freeFromMs],
  ["noExpiry", ({ noExpiry }) => noExpiry],
  ["revoked", ({ revoked }) => revoked],
  ["client", ({ layout }) => layout?.label ?? null],
  ["clientConfidence", ({ layout }) => layout?.confidence ?? null],
  ["firstSeenAt", ({ firstSeenAt }) => (firstSeenAt === null ? null : isoTime(firstSeenAt))],
  ["renewals", ({ renewals }) => renewals],
  ["readAt", ({ readAt }) => isoTime(readAt)],
];

function csvOf(locks: readonly LockView[]): string {
  const head = [...COLUMNS.map(([name]) => name), "nodes"];
  const rows = locks.map((lock) => [...COLUMNS.map(([, value]) => value(lock)), nodesInOneCell(lock)]);
  return [head, ...rows].map((row) => `${row.map(csvCell).join(",")}\r\n`).join("");
}

function jsonOf({ locks, scan, at, isWhole, filter }: ExportedList): string {
  const rows = locks.map((lock) => ({
    ...Object.fromEntries(COLUMNS.map(([name, value]) => [name, value(lock)])),
    nodes: lock.nodes.map(({ node, reading, fingerprint, remainingMs }) => ({
      node,
      reading,
      fingerprint,
      remainingMs,
    })),
  }));
  const complete = { nodesRead: scan.complete, nodes: scan.n, wholeList: isWhole };
  return `${JSON.stringify({ exportedAt: isoTime(at), filter, complete, locks: rows }, null, 2)}\n`;
}

/** `a=8f3a91c2 b=free c=unknown`: what every node had. */
function nodesInOneCell({ nodes }: LockView): string {
  return nodes.map(({ node, reading, fingerprint }) => `${node}=${fingerprint ?? reading}`).join(" ");
}

/**
 * One cell of a CSV file (RFC 4180).
 *
 * A text that a spreadsheet would take for a formula gets an apostrophe in front: anybody who can write a key could otherwise run
 * something on the machine of whoever opens the file. Numbers are ours and stay numbers.
 */
export function csvCell(value: Value): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const text = /^\s*[=+\-@]|^[\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",;\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
