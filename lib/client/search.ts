import { isProblem, type LockView, type Preset, searchTest } from "@/lib/contract";
import { ageOf, type Received } from "./received";

/** Words a search understands; everything else, also in quotes, is part of the resource's name. */
export const QUALIFIERS = [
  { example: "verdict:at_risk", meaning: "held, at_risk, possibly_held, split, leftover or free" },
  { example: "holder:8f3a", meaning: "fingerprint or name of the holder begins so" },
  { example: "node:c", meaning: "has a key on that node" },
  { example: "client:redisson", meaning: "made by that client library" },
  { example: "ttl<5s", meaning: "less (or with >, more) than that left" },
  { example: "age>1h", meaning: "seen first longer (or with <, less) ago" },
  { example: "no-expiry", meaning: "never expires by itself" },
  { example: "is:problem", meaning: "something an operator should look at" },
  {
    example: "evidence:held_long",
    meaning: "held_long, never_renewed, minority, uneven_expiry or above_max_ttl speaks for stuck",
  },
  { example: "revoked", meaning: "taken away by an operator, still keeping others out" },
] as const;

/**
 * Turns the text of the search box into a test, with the time that has passed since each lock was read.
 *
 * @returns true for a lock that fits every word
 */
export function receivedTest(text: string, nowMs: number): (lock: Received<LockView>) => boolean {
  const test = searchTest(text);
  return (lock) => test(lock.value, ageOf(lock, nowMs));
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
