import { Clock, Eraser, Gavel, type LucideIcon, Power, Scissors } from "lucide-react";
import { formatDuration } from "@/lib/client";
import type { Incident, IncidentCause } from "@/lib/contract";

/** How a cause is shown: with an icon and in two or three words. */
export const CAUSE_LOOKS: Readonly<Record<IncidentCause, { readonly icon: LucideIcon; readonly word: string }>> = {
  forced: { icon: Gavel, word: "forced by an operator" },
  restarted: { icon: Power, word: "restarted empty" },
  flushed: { icon: Eraser, word: "flushed" },
  clock: { icon: Clock, word: "clock put forward" },
  shortened: { icon: Scissors, word: "expiry shortened" },
};

type Fate = Incident["nodes"][number]["fate"];

/** What became of the first token on a node. */
export const FATE_WORDS: Readonly<Record<Fate, string>> = {
  kept: "still has it",
  released: "deleted",
  expired: "ended",
  silent: "no answer",
  forced: "taken away",
  restarted: "lost in a restart",
  flushed: "flushed",
  clock: "ended early",
  shortened: "shortened",
};

/** How long two tokens could both be believed. @param overlapMs null = without end */
export function overlapWords(overlapMs: number | null): string {
  return overlapMs === null ? "a time without end" : formatDuration(overlapMs);
}
