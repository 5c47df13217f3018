import type { LockView } from "./answers";
import type { VERDICTS } from "./inputs";
import type { Evidence } from "./past";

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const WORDS = /"([^"]*)"?|(\S+)/g;

/** What a search looks at; `At` is whatever the owner needs to know how late it is. */
export interface Searched<At> {
  readonly resource: string;
  readonly verdict: LockView["verdict"];
  readonly holder: LockView["holder"];
  readonly layout: Pick<NonNullable<LockView["layout"]>, "id" | "label"> | null;
  readonly noExpiry: boolean;
  readonly revoked: boolean;
  readonly evidence: readonly Pick<Evidence, "kind">[];
  hasKeyOn(node: string): boolean;
  /** Longest remaining time on any node that answers, milliseconds; infinite without an expiry. */
  remainingMs(at: At): number;
  /** Time since it was first seen, milliseconds. */
  seenForMs(at: At): number;
}

/** What makes a lock a problem. */
type Suspect = Pick<Searched<unknown>, "verdict" | "noExpiry" | "evidence">;

type Test = <At>(lock: Searched<At>, at: At) => boolean;

/** Verdicts in the order of a list: worst first, the operator came for these. */
export const SEVERITY = [
  "split",
  "possibly_held",
  "at_risk",
  "leftover",
  "held",
  "free",
] as const satisfies readonly (typeof VERDICTS)[number][];

/**
 * The test a search text stands for: all of its words must fit.
 *
 * `verdict:held,at_risk`, `holder:8f3a` (beginning of a fingerprint, or part of a holder's name), `node:c` (that node has
 * the key), `client:redisson`, `ttl<5s` and `ttl>5s` (longest remaining time), `age>1h` and `age<1h` (since first seen),
 * `no-expiry`, `revoked`, `evidence:uneven` (beginning of a kind), `is:problem`; everything else, also in quotes, is part of the
 * resource's name. A qualifier that does not exist is a part of a name as well: resources are full of colons.
 *
 * The server uses it on its index, the browser (as `searchTest`) on the views it has.
 */
export function searchedTest(text: string): Test {
  const tests = [...text.matchAll(WORDS)].map((match) =>
    match[1] === undefined ? wordTest(match[2] ?? "") : nameTest(match[1]),
  );
  return (lock, at) => tests.every((test) => test(lock, at));
}

/** The same test for views that are `ageMs` milliseconds old. */
export function searchTest(text: string): (lock: LockView, ageMs?: number) => boolean {
  const test = searchedTest(text);
  return (lock, ageMs = 0) => test(searchedView(lock), ageMs);
}

/** Whether a lock may come to fit the search, or cease to, by nothing but waiting. */
export function dependsOnTime(text: string): boolean {
  return /(?:^|\s)(?:ttl|age)[<>]/i.test(text);
}

/** Something an operator should look at. */
export function isProblem({ verdict, noExpiry, evidence }: Suspect): boolean {
  return noExpiry || evidence.length > 0 || !(verdict === "held" || verdict === "free");
}

function searchedView(lock: LockView): Searched<number> {
  return {
    ...lock,
    hasKeyOn: (name) =>
      lock.nodes.some(({ node, reading }) => node === name && (reading === "token" || reading === "foreign")),
    remainingMs: (ageMs) => remainingOf(lock) - ageMs,
    seenForMs: (ageMs) => seenForMs(lock) + ageMs,
  };
}

/** Longest remaining time of a lock on any node, milliseconds; infinite without an expiry. */
export function remainingOf(lock: LockView): number {
  const times = lock.nodes.flatMap(({ reading, remainingMs }) =>
    reading === "token" || reading === "foreign" ? [remainingMs ?? Number.POSITIVE_INFINITY] : [],
  );
  return Math.max(0, ...times);
}

/** How long the lock had been known when it was read, milliseconds, by the server's clock alone. */
export function seenForMs(lock: LockView): number {
  return lock.firstSeenAt === null ? 0 : Math.max(0, lock.readAt - lock.firstSeenAt);
}

function wordTest(word: string): Test {
  const [, name = "", operator = "", value = ""] = /^([a-z-]+)([:<>])(.+)$/i.exec(word) ?? [];
  const limitMs = durationOf(value);
  switch (`${name.toLowerCase()}${operator}`) {
    case "verdict:": {
      const verdicts = value.toLowerCase().replaceAll("-", "_").split(",");
      return (lock) => verdicts.includes(lock.verdict);
    }
    case "holder:":
      return (lock) =>
        lock.holder !== null && (startsWith(lock.holder.fingerprint, value) || contains(lock.holder.label, value));
    case "node:":
      return (lock) => lock.hasKeyOn(value);
    case "client:":
      return (lock) => lock.layout !== null && (contains(lock.layout.id, value) || contains(lock.layout.label, value));
    case "evidence:": {
      const beginning = value.replaceAll("-", "_");
      return ({ evidence }) => evidence.some(({ kind }) => startsWith(kind, beginning));
    }
    case "is:":
      return value.toLowerCase() === "problem" ? isProblem : nameTest(word);
    case "ttl<":
      return limitMs === null ? nameTest(word) : (lock, at) => lock.remainingMs(at) < limitMs;
    case "ttl>":
      return limitMs === null ? nameTest(word) : (lock, at) => lock.remainingMs(at) > limitMs;
    case "age<":
      return limitMs === null ? nameTest(word) : (lock, at) => lock.seenForMs(at) < limitMs;
    case "age>":
      return limitMs === null ? nameTest(word) : (lock, at) => lock.seenForMs(at) > limitMs;
    default:
      return flagTest(word);
  }
}

function flagTest(word: string): Test {
  if (word === "no-expiry") return (lock) => lock.noExpiry;
  if (word === "revoked") return (lock) => lock.revoked;
  return nameTest(word);
}

function nameTest(part: string): Test {
  const folded = part.toLowerCase();
  return (lock) => lock.resource.toLowerCase().includes(folded);
}

/** `5s`, `250ms`, `1.5h`; a bare number is seconds. */
function durationOf(text: string): number | null {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text) ?? [];
  return number === undefined ? null : Number(number) * (UNIT_MS[unit ?? "s"] ?? 1000);
}

function contains(text: string | null, part: string): boolean {
  return text?.toLowerCase().includes(part.toLowerCase()) ?? false;
}

function startsWith(text: string, part: string): boolean {
  return text.startsWith(part.toLowerCase());
}
