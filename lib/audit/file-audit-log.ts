import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { type AuditEntry, auditEntrySchema } from "@/lib/contract";
import { type AuditFilter, type AuditLog, newestMatching, RECENT_ENTRIES_MAX } from "./audit-log";

/** How much of the end of an old record is read at start, bytes: bounds memory and time whatever its size. */
const TAIL_BYTES_MAX = 4 * 1024 * 1024;
const LINE_END = 0x0a;

/** A record in a file, one JSON object a line, forced to the disk entry by entry. */
export class FileAuditLog implements AuditLog {
  readonly #file: FileHandle;
  readonly #recent: AuditEntry[];
  /** Writes one after another: two at once could mix their lines. */
  #queue: Promise<void> = Promise.resolve();
  /** The last line may lack its end: after a crash, or after a write that failed half way. */
  #isTorn: boolean;

  private constructor(file: FileHandle, tail: { readonly entries: AuditEntry[]; readonly isTorn: boolean }) {
    this.#file = file;
    this.#recent = tail.entries;
    this.#isTorn = tail.isTorn;
  }

  /**
   * Opens the record at `path`, and makes it and its folder where missing. Only its owner may read it.
   * @throws the file system's error
   */
  static async open(path: string): Promise<FileAuditLog> {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, "a+", 0o600);
    try {
      return new FileAuditLog(file, await readTail(file));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  append(entry: AuditEntry): Promise<void> {
    const written = this.#queue.then(() => this.#write(entry));
    // The next entry must be tried also after this one failed; this one's caller hears of it.
    this.#queue = written.catch(() => undefined);
    return written;
  }

  async list(filter: AuditFilter): Promise<readonly AuditEntry[]> {
    return newestMatching(this.#recent, filter);
  }

  async close(): Promise<void> {
    await this.#queue;
    await this.#file.close();
  }

  async #write(entry: AuditEntry): Promise<void> {
    // A torn last line is ended first, so that it spoils only itself.
    const line = `${this.#isTorn ? "\n" : ""}${JSON.stringify(entry)}\n`;
    this.#isTorn = true;
    await this.#file.appendFile(line);
    await this.#file.datasync();
    this.#isTorn = false;
    this.#recent.push(entry);
    if (this.#recent.length > RECENT_ENTRIES_MAX) this.#recent.shift();
  }
}

async function readTail(file: FileHandle): Promise<{ entries: AuditEntry[]; isTorn: boolean }> {
  const { size } = await file.stat();
  const length = Math.min(size, TAIL_BYTES_MAX);
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, size - length);
  const tail = buffer.subarray(0, bytesRead);
  // A tail that starts in the middle of the file starts in the middle of a line, most likely.
  const start = length < size ? tail.indexOf(LINE_END) + 1 : 0;
  const entries = tail
    .subarray(start)
    .toString("utf8")
    .split("\n")
    .flatMap((line) => parseLine(line))
    .slice(-RECENT_ENTRIES_MAX);
  return { entries, isTorn: bytesRead > 0 && tail[bytesRead - 1] !== LINE_END };
}

/** One entry, or none for a line that a crash tore: the record stays readable around it. */
function parseLine(line: string): AuditEntry[] {
  try {
    const parsed = auditEntrySchema.safeParse(JSON.parse(line));
    return parsed.success ? [parsed.data] : [];
  } catch {
    return []; // not JSON: a torn or empty line
  }
}
