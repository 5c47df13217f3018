import clsx from "clsx";
import type { ReactNode } from "react";

const TONES = {
  plain: "border-line text-mute",
  accent: "border-accent bg-accent-soft text-accent",
  ok: "border-transparent bg-ok-soft text-ok",
  risk: "border-transparent bg-risk-soft text-risk",
  alarm: "border-bad bg-bad text-bad-ink font-semibold",
  bad: "border-transparent bg-bad-soft text-bad",
  unk: "border-transparent bg-unk-soft text-unk",
  stray: "border-transparent bg-stray-soft text-stray",
} as const;

export type Tone = keyof typeof TONES;

type Props = { readonly tone?: Tone; readonly isSmall?: boolean; readonly children: ReactNode };

/** A word in a small frame. */
export function Badge({ tone = "plain", isSmall = false, children }: Props) {
  return (
    <span
      className={badgeLook(tone, clsx("shrink-0", isSmall ? "px-1.5 text-[11.5px]" : "px-2.5 py-0.5 text-[12.5px]"))}
    >
      {children}
    </span>
  );
}

/** The same look for elements that do something. */
export function badgeLook(tone: Tone, className?: string): string {
  return clsx("inline-flex items-center gap-1.5 whitespace-nowrap rounded-full border", className, TONES[tone]);
}
