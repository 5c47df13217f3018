"use client";

import { useEffect, useRef, useState } from "react";
import { type LockSet, useLockSet } from "@/lib/client";
import type { LockView } from "@/lib/contract";
import { VERDICT_LOOKS } from "../locks/verdicts";
import { useIsMuted } from "./announcements";

/** Often enough to be told in time, seldom enough to hear anything else. */
const QUIET_MS = 5000;
const NAMED_MAX = 2;

/** The one polite live region: says which verdicts changed, at most every five seconds, unless muted. */
export function Announcer() {
  const state = useLockSet();
  const isMuted = useIsMuted();
  const set = state.kind === "ready" ? state.set : undefined;
  const before = useRef<ReadonlyMap<string, LockView["verdict"]> | null>(null);
  const pending = useRef<string[]>([]);
  const [text, setText] = useState("");
  useEffect(() => {
    if (set === undefined) return;
    if (before.current !== null) pending.current.push(...verdictChanges(before.current, set));
    before.current = new Map([...set.byId].map(([id, { value }]) => [id, value.verdict]));
  }, [set]);
  useEffect(() => {
    if (isMuted) return;
    const timer = setInterval(() => {
      const changes = pending.current.splice(0);
      if (changes.length > 0) setText(summary(changes));
    }, QUIET_MS);
    return () => clearInterval(timer);
  }, [isMuted]);
  return (
    <p aria-live="polite" className="sr-only">
      {isMuted ? "" : text}
    </p>
  );
}

/** Only locks that were there before and still are: takings and releases are everyday, and too many. */
export function verdictChanges(before: ReadonlyMap<string, LockView["verdict"]>, { byId }: LockSet): string[] {
  return [...byId.values()].flatMap(({ value }) => {
    const was = before.get(value.id);
    return was === undefined || was === value.verdict
      ? []
      : [`${value.resource} is now ${VERDICT_LOOKS[value.verdict].word}`];
  });
}

function summary(changes: readonly string[]): string {
  const rest = changes.length - NAMED_MAX;
  const named = changes.slice(0, NAMED_MAX).join("; ");
  return rest > 0 ? `${named}; and ${rest} more verdicts changed` : named;
}
