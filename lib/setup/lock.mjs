// One preparation of a folder at a time: two starts at once must not install into the same node_modules. The lock is a file
// that names its owner; an owner that died, however it died, has left a lock that the next one takes over.

import { createHash } from "node:crypto";
import { linkSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { undoAtEnd } from "./children.mjs";
import { SetupError, say } from "./sentences.mjs";

const POLL_MS = 300;
/** Longest wait for another preparation, milliseconds: an install over a slow line may take minutes, not more. */
const WAIT_MS_MAX = 20 * 60_000;
/** A takeover is a few file operations; a takeover mark older than this belongs to somebody who died during it. */
const TAKEOVER_MS_MAX = 10_000;

/**
 * Runs `work` while no other process prepares the same folder.
 *
 * @template T
 * @param {string} root the project's folder
 * @param {() => Promise<T>} work
 * @param {{ folder?: string, waitMs?: number }} [options] where lock files live, and the longest wait in milliseconds
 * @returns {Promise<T>}
 */
export async function withLock(root, work, { folder = tmpdir(), waitMs = WAIT_MS_MAX } = {}) {
  const path = join(folder, `${lockName(root)}.lock`);
  await take(path, waitMs);
  const release = undoAtEnd(() => rmSync(path, { force: true }));
  try {
    return await work();
  } finally {
    release();
  }
}

function lockName(root) {
  const place = createHash("sha256").update(realpathSync(root)).digest("hex").slice(0, 12);
  return `redlock-console-${process.getuid?.() ?? "user"}-${place}`;
}

async function take(path, waitMs) {
  const deadline = performance.now() + waitMs;
  let hasSaidSo = false;
  for (;;) {
    if (create(path)) return;
    const owner = readOwner(path);
    if (owner === null) continue; // released between the two calls
    if (!isAlive(owner)) takeOver(path, owner);
    else if (performance.now() > deadline) {
      throw new SetupError(
        `Process ${Number.parseInt(owner, 10)} has been preparing this folder for too long. Wait for it or end it, then start again.`,
      );
    } else {
      if (!hasSaidSo) say(`Process ${Number.parseInt(owner, 10)} is already preparing this folder; waiting for it…`);
      hasSaidSo = true;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}

/** True when the file did not exist and is ours now. Linked into place, so that nobody ever reads it half written. */
function create(path) {
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, nameOf(process.pid));
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw new SetupError(
      `Cannot write to ${path} (${error.code}). Make that folder writable, or set TMPDIR to one that is.`,
    );
  } finally {
    rmSync(draft, { force: true });
  }
}

/** A process by number and, where /proc tells it, start time: after a crash its number may be given to somebody else. */
function nameOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return `${pid} ${stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]}`;
  } catch {
    return String(pid); // no /proc here, or no such process
  }
}

function readOwner(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw new SetupError(`Cannot read ${path} (${error.code}). Remove it and start again.`);
  }
}

function isAlive(owner) {
  const pid = Number.parseInt(owner, 10);
  if (!(pid > 0)) return false; // not written by us; and 0 would mean our own process group
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== "EPERM") return false; // EPERM: it lives, under another user
  }
  return nameOf(pid) === owner;
}

/** Removes a dead owner's lock. Under a mark of its own, so that nobody removes the lock of the one who was faster. */
function takeOver(path, owner) {
  const mark = `${path}.takeover`;
  if (!create(mark)) {
    try {
      if (Date.now() - statSync(mark).mtimeMs > TAKEOVER_MS_MAX) rmSync(mark, { force: true });
    } catch {
      // The other takeover has ended in the meantime; the next round sees its result.
    }
    return;
  }
  try {
    if (readOwner(path) === owner) rmSync(path, { force: true });
  } finally {
    rmSync(mark, { force: true });
  }
}
