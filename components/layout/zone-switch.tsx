"use client";

import { useSyncExternalStore } from "react";
import { useServerTime, useZone, type Zone, zoneChoice, zoneName } from "@/lib/client";

const HOUR_MS = 3_600_000;

function never(): () => void {
  return () => undefined;
}

/** Says in which zone the page tells absolute times, and switches it. */
export function ZoneSwitch() {
  const zone = useZone();
  const other: Zone = zone === "utc" ? "local" : "utc";
  // The zone's name follows the season; the server does not know it, so there the word stands.
  const hourMs = useServerTime((now) => Math.floor((now ?? 0) / HOUR_MS) * HOUR_MS);
  const name = useSyncExternalStore(
    never,
    () => zoneName(zone, hourMs),
    () => "UTC",
  );
  const said = zone === "utc" ? "Times are in UTC" : `Times are local (${name})`;
  return (
    <button
      type="button"
      aria-label={`${said}. Switch to ${other === "utc" ? "UTC" : "local time"}`}
      title={`${said}; press for ${other === "utc" ? "UTC" : "local time"}`}
      onClick={() => zoneChoice.choose(other)}
      className="inline-flex min-h-8 min-w-8 items-center justify-center rounded-lg px-1.5 font-semibold text-[12px] text-mute hover:bg-hover hover:text-ink"
    >
      {zone === "utc" ? "UTC" : "Local"}
    </button>
  );
}
