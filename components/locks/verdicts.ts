import { CircleQuestionMark, Ghost, Lock, LockOpen, type LucideIcon, Split, TriangleAlert } from "lucide-react";
import type { Verdict, VerdictKind } from "@/lib/redlock";
import type { Tone } from "../ui/badge";

/** How a verdict looks everywhere: a word, an icon and a colour, and what it means in one sentence. */
export interface VerdictLook {
  readonly word: string;
  readonly icon: LucideIcon;
  readonly text: string;
  readonly bar: string;
  readonly tone: Tone;
  readonly meaning: string;
}

export const VERDICT_LOOKS: Readonly<Record<VerdictKind, VerdictLook>> = {
  held: {
    word: "held",
    icon: Lock,
    text: "text-ok",
    bar: "bg-ok",
    tone: "ok",
    meaning: "A majority of the nodes holds the same token.",
  },
  at_risk: {
    word: "at risk",
    icon: TriangleAlert,
    text: "text-risk",
    bar: "bg-risk",
    tone: "risk",
    meaning: "Held, but with no node to spare, or with too few nodes up to renew it.",
  },
  possibly_held: {
    word: "possibly held",
    icon: CircleQuestionMark,
    text: "text-unk",
    bar: "bg-unk",
    tone: "unk",
    meaning: "Silent nodes decide whether it is held. Act as if it were.",
  },
  split: {
    word: "split",
    icon: Split,
    text: "text-bad",
    bar: "bg-bad",
    tone: "bad",
    meaning: "Several tokens, none with a majority: nobody holds it, and it may block everybody.",
  },
  leftover: {
    word: "leftover",
    icon: Ghost,
    text: "text-stray",
    bar: "bg-stray",
    tone: "stray",
    meaning: "A key on too few nodes: nobody holds it. It only gets in the way.",
  },
  free: {
    word: "free",
    icon: LockOpen,
    text: "text-mute",
    bar: "bg-edge",
    tone: "plain",
    meaning: "No key on any node that answered.",
  },
};

/** The sum behind a verdict, for example "m(T) = 3 of 5, quorum 3, margin 1". @param n membership size */
export function arithmeticOf(verdict: Verdict, n: number, silent: readonly string[]): string {
  const said = silent.length > 0 ? `, silent: ${silent.join(", ")}` : "";
  if (verdict.kind === "free") return `no key on ${n - silent.length} of ${n} nodes, quorum ${verdict.quorum}${said}`;
  const parts = [`${verdict.fingerprint === null ? "most votes for one token" : "m(T)"} = ${verdict.votes} of ${n}`];
  parts.push(`quorum ${verdict.quorum}`);
  if (verdict.margin !== null && isHeld(verdict)) parts.push(`margin ${verdict.margin}`);
  return parts.join(", ") + said;
}

/** What the safety margin means, in one sentence; null where there is none. */
export function marginSentence({ margin, kind }: Pick<Verdict, "margin" | "kind">): string | null {
  if (margin === null || !isHeld({ kind })) return null;
  if (margin <= 1) return "if one of the nodes that hold the key loses it, somebody else can get in.";
  return `somebody else can get in only when ${margin} of the nodes that hold the key lose it; ${margin - 1} may.`;
}

function isHeld({ kind }: Pick<Verdict, "kind">): boolean {
  return kind === "held" || kind === "at_risk";
}
