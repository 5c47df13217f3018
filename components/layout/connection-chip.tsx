"use client";

import clsx from "clsx";
import { ageOf, type ConnectionState, formatDuration, useConnection, useTicking } from "@/lib/client";
import { badgeLook } from "../ui/badge";

const LOOKS: Readonly<Record<ConnectionState, { readonly word: string; readonly dot: string }>> = {
  connecting: { word: "connecting", dot: "bg-edge" },
  live: { word: "live", dot: "bg-ok" },
  reconnecting: { word: "reconnecting", dot: "bg-risk" },
  polling: { word: "polling (stream blocked)", dot: "bg-risk" },
  offline: { word: "offline", dot: "bg-bad" },
  resting: { word: "resting", dot: "bg-edge" },
};

/** Connection and age of the data: two different things, side by side. */
export function ConnectionChip() {
  const { state, lastHeardAt, staleBecause } = useConnection();
  const { word, dot } = LOOKS[state];
  return (
    <span className={badgeLook("plain", "min-h-7 bg-panel px-2 text-[12.5px] sm:px-2.5")} data-connection={state}>
      <span aria-hidden className={clsx("size-2 rounded-full", dot)} />
      <span className="text-ink">{word}</span>
      {lastHeardAt !== null && <Age since={lastHeardAt} isStale={staleBecause !== null} />}
    </span>
  );
}

function Age({ since, isStale }: { readonly since: number; readonly isStale: boolean }) {
  // The ticker stands still while the data is stale, so the age is said by the banner then.
  const age = useTicking((now) => formatDuration(ageOf({ takenAt: since }, now)));
  if (isStale) return <span className="text-bad">· old</span>;
  return (
    <span role="timer" aria-live="off" className="min-w-[3.1em] text-mute sm:min-w-[4.6em]">
      · {age}
      <span className="max-sm:sr-only"> old</span>
    </span>
  );
}
