"use client";

import { Keyboard } from "lucide-react";
import { QUALIFIERS } from "@/lib/client";
import { VERDICT_LOOKS } from "../locks/verdicts";
import { Dialog } from "../ui/dialog";
import { openOverlay } from "./overlay";

const KEYS = [
  { keys: "Ctrl K, ⌘ K", does: "everything by its name: pages, locks, nodes, actions" },
  { keys: "/", does: "search (on Locks)" },
  { keys: "j  k", does: "next and previous row" },
  { keys: "x", does: "select the lock the focus is on" },
  { keys: "Enter", does: "open the lock the focus is on" },
  { keys: "Esc", does: "close a dialog, leave the wallboard" },
  { keys: "?", does: "this help" },
] as const;

/** Opens the help. */
export function HelpButton() {
  return (
    <button
      type="button"
      aria-label="Help: keys, search words, verdicts"
      title="Help (?)"
      onClick={() => openOverlay({ kind: "help" })}
      className="grid size-8 place-items-center rounded-lg text-mute hover:bg-hover hover:text-ink"
    >
      <Keyboard aria-hidden className="size-4" />
    </button>
  );
}

type Props = { readonly isOpen: boolean; readonly onOpenChange: (isOpen: boolean) => void };

/** Keys, search words and verdicts. No single key changes anything. */
export function HelpDialog({ isOpen, onOpenChange }: Props) {
  return (
    <Dialog
      title="Help"
      description="Keys sleep while you type; none of them changes anything."
      isOpen={isOpen}
      onOpenChange={onOpenChange}
    >
      <div className="grid gap-5 pb-5">
        <Section title="Keys" rows={KEYS.map(({ keys, does }) => [keys, does])} />
        <Section title="Search" rows={QUALIFIERS.map(({ example, meaning }) => [example, meaning])} />
        <Section title="Verdicts" rows={Object.values(VERDICT_LOOKS).map(({ word, meaning }) => [word, meaning])} />
      </div>
    </Dialog>
  );
}

type SectionProps = { readonly title: string; readonly rows: readonly (readonly [string, string])[] };

function Section({ title, rows }: SectionProps) {
  return (
    <section>
      <h3 className="mb-1 font-semibold text-[13px] text-mute">{title}</h3>
      <dl className="grid grid-cols-[9rem_1fr] gap-x-4 gap-y-1">
        {rows.map(([term, meaning]) => (
          <div key={term} className="contents">
            <dt className="whitespace-pre font-mono text-[13px]">{term}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
