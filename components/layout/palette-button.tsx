"use client";

import { Search } from "lucide-react";
import { openOverlay } from "./overlay";

/** Opens the command palette, and tells those who never press a key unasked that there is one. */
export function PaletteButton() {
  return (
    <button
      type="button"
      aria-label="Command palette: pages, locks, nodes, actions"
      aria-keyshortcuts="Control+K Meta+K"
      title="Pages, locks, nodes and actions by name (Ctrl K or ⌘ K)"
      onClick={() => openOverlay({ kind: "palette" })}
      className="inline-flex min-h-8 min-w-8 items-center justify-center gap-2 rounded-lg border border-line bg-panel px-2 text-[13px] text-mute hover:bg-hover hover:text-ink"
    >
      <Search aria-hidden className="size-4" />
      <span className="max-lg:hidden">Go to…</span>
      <kbd aria-hidden className="font-sans text-[11.5px] max-lg:hidden">
        Ctrl K
      </kbd>
    </button>
  );
}
