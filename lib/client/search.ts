import type { LockView } from "@/lib/contract";
import { parseDuration } from "./duration";
import { ageOf, type Received } from "./received";

/** The presets above the list. */
export const PRESETS = ["all", "problems", "no-expiry", "leftover"] as const;
export type Preset = (typeof PRESETS)[number];

/** Words a search understands; everything else, also in quotes, is part of the resource's name. */
export const QUALIFIERS = [
  { example: "verdict:at_risk", meaning: "held, at_risk, possibly_held, split, leftover or free" },
  { example: "holder:8f3a", meaning: "fingerprint or name of the holder begins so" },
  { example: "node:c", meaning: "has a key on that node" },
  { example: "client:redisson", meaning: "made by that client library" },
  { example: "ttl<5s", meaning: "less (or with >, more) than that left" },
  { example: "age>1h", meaning: "seen first longer (or with <, less) ago" },
  { example: "no-expiry", meaning: "never expires by itself" },
  { example: "revoked", meaning: "taken away by an operator, still keeping others out" },
] as const;

type Test = (lock: LockView, ageMs: number) => boolean;

/** Words, or several words in quotes. */
const WORDS = /"([^"]*)"?|(\S+)/g;

/**
 * Turns the text of the search box into a test. The same words mean the same to the server (`q` of `GET /locks`); here they are
 * applied to what the browser already knows, with the time that has passed since.
 *
 * @returns true for a lock that fits every word
 */
export function searchTest(text: string, nowMs: number): (lock: Received<LockView>) => boolean {
  const tests = [...text.matchAll(WORDS)].map((match) =>
    match[1] === undefined ? testOf(match[2] ?? "") : nameTest(match[1]),
  );
  return (lock) => tests.every((test) => test(lock.value, ageOf(lock, nowMs)));
}

/** Something an operator should look at. */
export function isProblem(lock: LockView): boolean {
  return lock.noExpiry || !(lock.verdict === "held" || lock.verdict === "free");
}

/** @returns true when the lock belongs to the preset */
export function fitsPreset(lock: LockView, preset: Preset): boolean {
  switch (preset) {
    case "all":
      return true;
    case "problems":
      return isProblem(lock);
    case "no-expiry":
      return lock.noExpiry;
    case "leftover":
      return lock.verdict === "leftover";
    default:
      return preset satisfies never;
  }
}

function testOf(word: string): Test {
  const [, name = "", operator = "", value = ""] = /^([a-z-]+)([:<>])(.+)$/i.exec(word) ?? [];
  switch (`${name.toLowerCase()}${operator}`) {
    case "verdict:":
      return (lock) => value.toLowerCase().replaceAll("-", "_").split(",").includes(lock.verdict);
    case "holder:":
      return ({ holder }) =>
        holder !== null && (holder.fingerprint.startsWith(value.toLowerCase()) || contains(holder.label, value));
    case "node:":
      return (lock) => lock.nodes.some(({ node, reading }) => node === value && hasKey(reading));
    case "client:":
      return ({ layout }) => layout !== null && (contains(layout.id, value) || contains(layout.label, value));
    case "ttl<":
    case "ttl>":
      return boundTest(word, operator, value, (lock, ageMs) => remainingOf(lock) - ageMs);
    case "age<":
    case "age>":
      return boundTest(word, operator, value, (lock, ageMs) => seenForMs(lock) + ageMs);
    default:
      return flagTest(word);
  }
}

function flagTest(word: string): Test {
  if (word === "no-expiry") return (lock) => lock.noExpiry;
  if (word === "revoked") return (lock) => lock.revoked;
  return nameTest(word); // a qualifier that does not exist is part of a name: resources are full of colons
}

function nameTest(part: string): Test {
  return (lock) => contains(lock.resource, part);
}

function boundTest(
  word: string,
  operator: string,
  value: string,
  measure: (lock: LockView, ageMs: number) => number,
): Test {
  const limitMs = parseDuration(/^[\d.]+$/.test(value) ? `${value}s` : value);
  if (limitMs === null) return nameTest(word);
  return (lock, ageMs) => {
    const measured = measure(lock, ageMs);
    return operator === "<" ? measured < limitMs : measured > limitMs;
  };
}

function contains(text: string | null, part: string): boolean {
  return text?.toLowerCase().includes(part.toLowerCase()) ?? false;
}

function hasKey(reading: LockView["nodes"][number]["reading"]): boolean {
  return reading === "token" || reading === "foreign";
}

/** Longest time any of its keys lives on, milliseconds; infinite without expiry. */
export function remainingOf(lock: LockView): number {
  const left = lock.nodes.filter(({ reading }) => hasKey(reading)).map(({ remainingMs }) => remainingMs ?? Infinity);
  return left.length === 0 ? 0 : Math.max(...left);
}

/** How long the lock had been known when it was read, milliseconds, by the server's clock alone. */
export function seenForMs(lock: LockView): number {
  return lock.firstSeenAt === null ? 0 : Math.max(0, lock.readAt - lock.firstSeenAt);
}
