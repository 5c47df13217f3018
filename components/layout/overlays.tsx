"use client";

import { useEffect } from "react";
import { AcquireDialog } from "../locks/acquire-dialog";
import { isTyping } from "../locks/list/use-row-keys";
import { CommandPalette } from "./command-palette";
import { HelpDialog } from "./help-dialog";
import { closeOverlay, openOverlay, useOverlay } from "./overlay";

/** The keys that open a dialog from everywhere. Apart from the dialogs, which wait for the URL: a key pressed meanwhile is not lost. */
export function OverlayKeys() {
  const isPaletteOpen = useOverlay()?.kind === "palette";
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isPaletteKey(event)) {
        event.preventDefault(); // else the browser's own search takes it
        if (isPaletteOpen) closeOverlay();
        // Not on top of another dialog: what it asks must be answered first.
        else if (document.querySelector("[role='dialog']") === null) openOverlay({ kind: "palette" });
      } else if (event.key === "?" && !isTyping(event)) openOverlay({ kind: "help" });
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [isPaletteOpen]);
  return null;
}

/** The dialogs of every page. */
export function Overlays() {
  const overlay = useOverlay();
  const onOpenChange = (isOpen: boolean) => {
    if (!isOpen) closeOverlay();
  };
  return (
    <>
      <CommandPalette isOpen={overlay?.kind === "palette"} onOpenChange={onOpenChange} />
      <HelpDialog isOpen={overlay?.kind === "help"} onOpenChange={onOpenChange} />
      <AcquireDialog
        isOpen={overlay?.kind === "acquire"}
        onOpenChange={onOpenChange}
        resource={overlay?.kind === "acquire" ? overlay.resource : ""}
      />
    </>
  );
}

/** Also while somebody types: a modifier is held, so it is no text. */
function isPaletteKey(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k";
}
