"use client";

import { Command } from "cmdk";
import { Search } from "lucide-react";
import { useRef, useState } from "react";
import { BareDialog } from "../ui/dialog";
import type { PaletteEntry } from "./palette-entries";
import { usePaletteGroups } from "./use-palette-groups";

type Props = { readonly isOpen: boolean; readonly onOpenChange: (isOpen: boolean) => void };

/** Pages, locks, nodes and actions by their name, on Ctrl K or ⌘ K. */
export function CommandPalette({ isOpen, onOpenChange }: Props) {
  const chosen = useRef<(() => void) | null>(null);
  const choose = (entry: PaletteEntry) => {
    chosen.current = entry.run;
    onOpenChange(false);
  };
  // Only after the palette is gone and the focus is back: a dialog opened from here must return it to the page, not to the palette.
  const runChosen = () => {
    chosen.current?.();
    chosen.current = null;
  };
  return (
    <BareDialog
      title="Command palette"
      description="Type a name; arrow keys choose, Enter goes there."
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      onClosed={runChosen}
    >
      <PaletteList onChoose={choose} />
    </BareDialog>
  );
}

function PaletteList({ onChoose }: { readonly onChoose: (entry: PaletteEntry) => void }) {
  const [text, setText] = useState("");
  const groups = usePaletteGroups(text.trim());
  return (
    <Command label="Page, lock, node or action" shouldFilter={false} loop vimBindings={false}>
      <div className="flex items-center gap-2.5 border-line border-b px-4">
        <Search aria-hidden className="size-4 shrink-0 text-mute" />
        <Command.Input
          value={text}
          onValueChange={setText}
          placeholder="Page, lock, node or action"
          maxLength={1000}
          className="min-h-12 w-full min-w-0 bg-transparent text-[15px] text-ink outline-none"
        />
        <kbd aria-hidden className="rounded border border-line px-1.5 py-0.5 font-sans text-[11.5px] text-mute">
          Esc
        </kbd>
      </div>
      <Command.List label="What fits" className="max-h-[min(26rem,60dvh)] overflow-y-auto overscroll-contain p-1.5">
        {groups.map(({ title, entries }) => (
          <Command.Group key={title} heading={title} className={GROUP_LOOK}>
            {entries.map((entry) => (
              <Row key={entry.id} entry={entry} onChoose={onChoose} />
            ))}
          </Command.Group>
        ))}
      </Command.List>
    </Command>
  );
}

const GROUP_LOOK =
  "pb-1.5 [&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-1.5 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:font-semibold [&_[cmdk-group-heading]]:text-[12.5px] [&_[cmdk-group-heading]]:text-mute";

function Row({ entry, onChoose }: { readonly entry: PaletteEntry; readonly onChoose: (entry: PaletteEntry) => void }) {
  const { id, label, icon: Icon, note, disabledReason } = entry;
  const isDead = typeof disabledReason === "string";
  return (
    <Command.Item
      value={id}
      disabled={isDead}
      onSelect={() => onChoose(entry)}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-lg px-2.5 py-1.5 aria-disabled:cursor-not-allowed aria-disabled:text-mute data-[selected=true]:bg-track"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-mute" />
      <span className={`min-w-0 flex-1 truncate ${id.startsWith("lock ") ? "font-mono" : ""}`} title={label}>
        {label}
      </span>
      <span className="max-w-[45%] shrink-0 truncate text-[13px] text-mute">{disabledReason ?? note}</span>
    </Command.Item>
  );
}
