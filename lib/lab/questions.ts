import type { LabEvent } from "@/lib/contract";
import type { Question } from "./scenario";

type Try = Extract<LabEvent, { readonly kind: "granted" | "refused" }>;

/** What a client was told when it first asked; undefined while it has not. @param sinceMs only of tries begun after that */
export function firstTry(events: readonly LabEvent[], client: string, sinceMs = 0): Try | undefined {
  return events.find(
    (event): event is Try =>
      (event.kind === "granted" || event.kind === "refused") && event.client === client && event.askedMs >= sinceMs,
  );
}

/** The index of what a client was told at its first try: 0 for refused, 1 for granted; null while it was told nothing. */
export function whetherGranted(events: readonly LabEvent[], client: string, sinceMs = 0): 0 | 1 | null {
  const told = firstTry(events, client, sinceMs);
  if (told === undefined) return null;
  return told.kind === "granted" ? 1 : 0;
}

/** Asked where the first client is cut off from all masters but a bare majority. */
export const BARE_MAJORITY: Question = {
  id: "bare-majority",
  before: "cut: bytes are held both ways",
  ask: "A is cut off from some masters, and reaches a bare majority. Is it granted the lock?",
  options: ["No: it must hear from all of them", "Yes"],
  answer(events) {
    // A machine that was too busy to answer does not decide it, see `take`.
    if (events.some((event) => event.kind === "granted" && event.client === "A")) return 1;
    return whetherGranted(events, "A");
  },
};

/** When the client under the restart guard gets the lock. @param held of the one that has it, next of the one that asks */
export function whenGuarded(
  events: readonly LabEvent[],
  { held, next }: { readonly held: string; readonly next: string },
): number | null {
  const told = firstTry(events, next);
  if (told === undefined) return null;
  const granted = events.find((event) => event.kind === "granted" && event.client === next);
  if (granted === undefined) return 2;
  const before = events.findLast(
    (event) => event.kind === "granted" && event.client === held && event.atMs < granted.atMs,
  );
  return before?.kind === "granted" ? Number(granted.atMs > before.untilMs) : null;
}
