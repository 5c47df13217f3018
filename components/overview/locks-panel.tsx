"use client";

import Link from "next/link";
import { useLockSet } from "@/lib/client";
import { SEVERITY } from "@/lib/contract";
import { VERDICT_LOOKS } from "../locks/verdicts";
import { Panel } from "../ui/panel";

/** Locks by verdict, each number leading to its list. */
export function LocksPanel() {
  const state = useLockSet();
  if (state.kind !== "ready") {
    return (
      <Panel title="Locks">
        {state.kind === "failed" ? (
          <p role="alert" className="text-bad">
            {state.error.message}
          </p>
        ) : (
          <p role="status" aria-label="Loading locks" className="text-mute">
            Loading…
          </p>
        )}
      </Panel>
    );
  }
  const { byId, scan, page } = state.set;
  const locks = [...byId.values()].map(({ value }) => value);
  const counts = SEVERITY.map((verdict) => ({
    verdict,
    count: page?.counts[verdict] ?? locks.filter((lock) => lock.verdict === verdict).length,
  })).filter(({ verdict, count }) => verdict !== "free" && count > 0);
  return (
    <Panel
      title="Locks"
      aside={
        <span className={`text-[13px] ${scan.complete === scan.n ? "text-mute" : "text-risk"}`}>
          {scan.complete} of {scan.n} nodes read to the end
        </span>
      }
    >
      <p className="font-semibold text-[26px] leading-tight">
        {counts.reduce((sum, { count }) => sum + count, 0).toLocaleString("en-US")}
      </p>
      <ul className="mt-0.5 flex flex-wrap gap-x-1">
        {counts.map(({ verdict, count }) => {
          const { word, text, icon: Icon } = VERDICT_LOOKS[verdict];
          return (
            <li key={verdict}>
              <Link
                href={`/locks?q=verdict:${verdict}`}
                className={`-ml-1 inline-flex min-h-7 items-center gap-1 rounded-md px-1.5 font-semibold underline-offset-4 hover:underline ${text}`}
              >
                <Icon aria-hidden className="size-3.5" />
                {count.toLocaleString("en-US")} {word}
              </Link>
            </li>
          );
        })}
        {counts.length === 0 && <li className="text-mute">none on any node that was read</li>}
      </ul>
    </Panel>
  );
}
