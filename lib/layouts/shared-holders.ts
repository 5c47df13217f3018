import { type Bytes, bytesOf } from "./bytes";
import { jointOwner, type Layout, pairsOf } from "./layout";
import { type Release, refused, removeMembers, SEMAPHORE_REASON } from "./release";
import { MACHINE_ID } from "./telling-tokens";

// Sorted sets, sets and hashes with an element per holder: several may hold at the same time.

const SYMFONY_TOKEN = /^[A-Za-z0-9+/]{43}=$/;
const SYMFONY_WRITE = "__write__";
/** Holders named one by one. */
const NAMED_MAX = 3;

const symfony: Layout = {
  id: "symfony",
  type: "zset",
  identify(sighting) {
    const members = pairsOf(sighting).map(([member]) => member);
    const isWrite = members.includes(SYMFONY_WRITE);
    const tokens = members.filter((member) => member !== SYMFONY_WRITE);
    if (tokens.length === 0 || !tokens.every((token) => SYMFONY_TOKEN.test(token))) return null;
    return {
      recognition: {
        id: "symfony",
        label: "Symfony Lock",
        confidence: isWrite ? "certain" : "probable",
        holderLabel: isWrite ? "held alone" : countOf(tokens.length, "reader"),
      },
      owner: jointOwner(tokens),
      isRevocable: false,
      release: () =>
        isComplete(sighting) ? removeMembers(sighting.key, tokens, isWrite ? [SYMFONY_WRITE] : []) : TOO_MANY,
    };
  },
};

const redisSemaphore: Layout = {
  id: "redis-semaphore-semaphore",
  type: "zset",
  identify(sighting) {
    const members = pairsOf(sighting).map(([member]) => member);
    if (!sighting.key.startsWith("semaphore:") || members.length === 0) return null;
    return {
      recognition: {
        id: "redis-semaphore-semaphore",
        label: "redis-semaphore semaphore",
        confidence: "probable",
        holderLabel: `${countOf(sighting.elements?.size ?? 0, "permit")} taken`,
      },
      owner: jointOwner(members),
      isRevocable: false,
      release: () => refused(SEMAPHORE_REASON),
    };
  },
};

const distributedLockSemaphore: Layout = {
  id: "distributed-lock-net-semaphore",
  type: "zset",
  identify(sighting) {
    const members = pairsOf(sighting).map(([member]) => member);
    if (!areMachines(members)) return null;
    return {
      recognition: {
        id: "distributed-lock-net-semaphore",
        label: "DistributedLock (.NET) semaphore",
        confidence: "certain",
        holderLabel: machinesOf(members, sighting.elements?.size ?? 0),
      },
      owner: jointOwner(members),
      isRevocable: false,
      release: () => refused(SEMAPHORE_REASON),
    };
  },
};

const distributedLockReaders: Layout = {
  id: "distributed-lock-net-readers",
  type: "set",
  identify(sighting) {
    const members = sighting.elements?.words ?? [];
    if (!areMachines(members)) return null;
    return {
      recognition: {
        id: "distributed-lock-net-readers",
        label: "DistributedLock (.NET) readers",
        confidence: "certain",
        holderLabel: machinesOf(members, sighting.elements?.size ?? 0),
      },
      owner: jointOwner(members),
      isRevocable: false,
      release: () => removeMembers(sighting.key, members),
    };
  },
};

const sidekiq: Layout = {
  id: "sidekiq-unique-jobs",
  type: "hash",
  isOneServer: true,
  identify(sighting) {
    if (!/uniquejobs:.*:LOCKED$/.test(sighting.key)) return null;
    const jobs = pairsOf(sighting).map(([job]) => job);
    return {
      recognition: {
        id: "sidekiq-unique-jobs",
        label: "sidekiq-unique-jobs",
        confidence: "certain",
        holderLabel: jobs.length === 1 ? `job ${jobs[0]}` : countOf(sighting.elements?.size ?? 0, "job"),
      },
      owner: jobs.length === 0 ? bytesOf(sighting.key) : jointOwner(jobs),
      isRevocable: false,
      release: () =>
        refused(
          "Several keys of sidekiq-unique-jobs must change together. Delete the digest with the gem, on its page or with `SidekiqUniqueJobs::Digests`.",
        ),
    };
  },
};

/** Clients of which several may hold at the same time. */
export const sharedHolders: readonly Layout[] = [
  sidekiq,
  symfony,
  redisSemaphore,
  distributedLockSemaphore,
  distributedLockReaders,
];

const TOO_MANY: Release = refused("It has more holders than can be compared. Stop them, or let it expire.");

function isComplete({ elements }: Parameters<typeof pairsOf>[0]): boolean {
  return elements !== null && elements.words.length === 2 * elements.size;
}

function areMachines(members: readonly Bytes[]): boolean {
  return members.length > 0 && members.every((member) => MACHINE_ID.test(member));
}

function machinesOf(members: readonly Bytes[], size: number): string {
  const names = members.slice(0, NAMED_MAX).map((member) => {
    const [, machine, pid] = MACHINE_ID.exec(member) ?? [];
    return `${machine}, pid ${pid}`;
  });
  return size > names.length ? `${names.join("; ")} and ${size - names.length} more` : names.join("; ");
}

function countOf(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}
