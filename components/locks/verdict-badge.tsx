"use client";

import clsx from "clsx";
import { memo } from "react";
import { type Received, silentNodes } from "@/lib/client";
import type { LockView } from "@/lib/contract";
import type { VerdictKind } from "@/lib/redlock";
import { Tooltip } from "../ui/tooltip";
import { useLiveVerdict } from "./use-live-verdict";
import { arithmeticOf, marginSentence, VERDICT_LOOKS } from "./verdicts";

type Props = { readonly lock: Received<LockView>; readonly isLarge?: boolean };

/** Icon, word and colour of a lock's verdict, with the arithmetic behind it on hover and focus. */
export function VerdictBadge({ lock, isLarge = false }: Props) {
  const verdict = useLiveVerdict(lock);
  return (
    <Tooltip text={<VerdictSum lock={lock} />}>
      {/* The element itself: the tooltip gives it its properties. */}
      {verdictButton(verdict.kind, isLarge)}
    </Tooltip>
  );
}

/** The same in a list, where one tooltip serves all rows. */
export const VerdictMark = memo(function VerdictMark({ kind }: { readonly kind: VerdictKind }) {
  return verdictButton(kind, false);
});

function verdictButton(kind: VerdictKind, isLarge: boolean) {
  const { icon: Icon, text, word } = VERDICT_LOOKS[kind];
  return (
    <button
      type="button"
      data-verdict={kind}
      className={clsx(
        "inline-flex min-h-6 cursor-help items-center gap-1.5 whitespace-nowrap font-semibold",
        text,
        isLarge && "text-[22px]",
      )}
    >
      <Icon aria-hidden strokeWidth={2.2} className={isLarge ? "size-6" : "size-4"} />
      {word}
    </button>
  );
}

/** What a verdict means, and the sum behind it. */
export function VerdictSum({ lock }: { readonly lock: Received<LockView> }) {
  const verdict = useLiveVerdict(lock);
  const margin = marginSentence(verdict);
  return (
    <>
      <span className="block">{VERDICT_LOOKS[verdict.kind].meaning}</span>
      <span className="mt-1 block font-mono text-[12.5px]">
        {arithmeticOf(verdict, lock.value.nodes.length, silentNodes(lock.value))}
      </span>
      {margin !== null && (
        <span className="mt-1 block text-mute">
          Margin {verdict.margin}: {margin}
        </span>
      )}
    </>
  );
}
