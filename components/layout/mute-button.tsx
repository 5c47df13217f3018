"use client";

import { Bell, BellOff } from "lucide-react";
import { muteAnnouncements, useIsMuted } from "./announcements";

/** Switches off that a screen reader reads verdict changes out. */
export function MuteButton() {
  const isMuted = useIsMuted();
  const Icon = isMuted ? BellOff : Bell;
  return (
    <button
      type="button"
      aria-pressed={isMuted}
      aria-label="Mute announcements of verdict changes"
      title={isMuted ? "Verdict changes are not read out" : "Verdict changes are read out to screen readers"}
      onClick={() => muteAnnouncements(!isMuted)}
      className="grid size-8 place-items-center rounded-lg text-mute hover:bg-hover hover:text-ink"
    >
      <Icon aria-hidden className="size-4" />
    </button>
  );
}
