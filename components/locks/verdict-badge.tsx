"use client";

import clsx from "clsx";
import { type Received, silentNodes } from "@/lib/client";
import type { LockView } from "@/lib/contract";
import { Tooltip } from "../ui/tooltip";
import { useLiveVerdict } from "./use-live-verdict";
import { arithmeticOf, marginSentence, VERDICT_LOOKS } from "./verdicts";

type Props = { readonly lock: Received<LockView>; readonly isLarge?: boolean };

/** Icon, word and colour of a lock's verdict, with the arithmetic behind it on hover and focus. */
export function VerdictBadge({ lock, isLarge = false }: Props) {
  const verdict = useLiveVerdict(lock);
  const look = VERDICT_LOOKS[verdict.kind];
  const Icon = look.icon;
  const margin = marginSentence(verdict);
  const text = (
    <>
      <span className="block">{look.meaning}</span>
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
  return (
    <Tooltip text={text}>
      <button
        type="button"
        data-verdict={verdict.kind}
        className={clsx(
          "inline-flex min-h-6 cursor-help items-center gap-1.5 whitespace-nowrap font-semibold",
          look.text,
          isLarge && "text-[22px]",
        )}
      >
        <Icon aria-hidden strokeWidth={2.2} className={isLarge ? "size-6" : "size-4"} />
        {look.word}
      </button>
    </Tooltip>
  );
}
