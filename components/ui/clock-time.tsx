"use client";

import { useSyncExternalStore } from "react";

const CLOCK = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

function never(): () => void {
  return () => undefined;
}

/** A moment in the reader's time zone, which the server does not know: there the text stays empty. @param at epoch ms of the server */
export function ClockTime({ at }: { readonly at: number }) {
  const text = useSyncExternalStore(
    never,
    () => CLOCK.format(at),
    () => "",
  );
  const exact = new Date(at).toISOString();
  return (
    <time dateTime={exact} title={exact} className="whitespace-nowrap">
      {text}
    </time>
  );
}
