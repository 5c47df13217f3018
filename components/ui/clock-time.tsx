"use client";

import { useSyncExternalStore } from "react";
import { formatAgo, formatMoment, formatMomentExactly, useServerTime, useZone } from "@/lib/client";

const MINUTE_MS = 60_000;

function never(): () => void {
  return () => undefined;
}

/**
 * A moment in the zone the reader chose, which the server does not know: there the text stays empty.
 *
 * @param at epoch ms of the server
 */
export function ClockTime({ at }: { readonly at: number }) {
  const zone = useZone();
  // Only the day matters here, so once a minute is often enough.
  const nowMs = useServerTime((now) => (now === null ? null : Math.floor(now / MINUTE_MS) * MINUTE_MS));
  const inBrowser = (text: string) => () => text;
  const text = useSyncExternalStore(never, inBrowser(formatMoment(at, zone, nowMs)), inBrowser(""));
  const exact = useSyncExternalStore(never, inBrowser(formatMomentExactly(at, zone)), inBrowser(""));
  return (
    <time dateTime={new Date(at).toISOString()} title={exact} className="whitespace-nowrap">
      {text}
    </time>
  );
}

/** How long ago a moment was, by the server's own clock. @param at epoch ms of the server */
export function TimeAgo({ at }: { readonly at: number }) {
  const text = useServerTime((now) => (now === null ? "" : formatAgo(now - at)));
  return (
    <span role="timer" aria-live="off" className="whitespace-nowrap">
      {text}
    </span>
  );
}
