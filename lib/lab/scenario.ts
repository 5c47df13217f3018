import type { LabCheck, LabCrowd, LabEvent, LabQuestion, LabScenario } from "@/lib/contract";
import type { ServerNeeds, Stage } from "./stage";

/** A question with the answer that a record gives. */
export interface Question extends LabQuestion {
  /** Pure. @returns which option came true; null when the record does not tell */
  answer(events: readonly LabEvent[], n: number): number | null;
}

/** One argument about Redlock, played on real processes. */
export interface Scenario extends Omit<LabScenario, "questions" | "crowd"> {
  /** The crowd that it has unless a viewer wants another. */
  readonly crowd?: LabCrowd;
  /** For who likes to foresee, in the order in which they are asked. */
  readonly questions?: readonly Question[];
  /** What its redis-servers are started with, beyond the usual. */
  readonly servers?: ServerNeeds;
  /** Between two looks at its nodes, milliseconds, where so much happens that each of them fills the record. */
  readonly lookEveryMs?: number;
  /** Longest run, milliseconds, where it may be longer than others. */
  readonly limitMs?: number;
  /**
   * Does the steps. What comes of them is on the stage's record.
   *
   * @throws Error when the stage fails: then nothing was learnt. A claim that does not hold is no error
   */
  play(stage: Stage): Promise<void>;
  /**
   * What the scenario claims, each with whether the record shows it. Pure; never empty.
   *
   * @param crowd that was played; null where the scenario has none
   */
  check(events: readonly LabEvent[], n: number, crowd: LabCrowd | null): readonly LabCheck[];
}

/** Events of one kind. */
export function of<Kind extends LabEvent["kind"]>(
  events: readonly LabEvent[],
  kind: Kind,
): readonly Extract<LabEvent, { readonly kind: Kind }>[] {
  return events.filter((event): event is Extract<LabEvent, { readonly kind: Kind }> => event.kind === kind);
}
