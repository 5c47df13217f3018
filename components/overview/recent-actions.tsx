"use client";

import { useAudit } from "@/lib/client";
import type { AuditEntry } from "@/lib/contract";
import { ClockTime, TimeAgo } from "../ui/clock-time";
import { Panel } from "../ui/panel";

const SHOWN_MAX = 8;

/** What operators did last, from the record. */
export function RecentActions() {
  const state = useAudit();
  return <Panel title="Recent actions">{body(state)}</Panel>;
}

function body(state: ReturnType<typeof useAudit>) {
  switch (state.kind) {
    case "loading":
      return (
        <p role="status" aria-label="Loading actions" className="text-mute">
          Loading…
        </p>
      );
    case "failed":
      return (
        <p role="alert">
          <b className="text-bad">{state.error.message}</b> {state.error.nextStep}
        </p>
      );
    case "ready":
      if (state.entries.length === 0) return <p className="text-mute">Nobody has changed anything yet.</p>;
      return (
        <ol className="divide-y divide-line">
          {state.entries.slice(0, SHOWN_MAX).map((entry) => (
            <Action key={entry.id} entry={entry} />
          ))}
        </ol>
      );
    default:
      return state satisfies never;
  }
}

function Action({ entry }: { readonly entry: AuditEntry }) {
  return (
    <li className="grid gap-x-3 py-1.5 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <span className="flex flex-wrap content-start gap-x-2 text-[13px] text-mute leading-[21px]">
        <ClockTime at={entry.at} />
        <TimeAgo at={entry.at} />
      </span>
      <span className="min-w-0 break-words">
        <b className="font-semibold">{entry.action.replaceAll(/[._]/g, " ")}</b> <code>{entry.target}</code>
        <span className={entry.phase === "intent" ? "text-risk" : "text-mute"}>
          {" "}
          · {entry.phase === "intent" ? "outcome not known" : (entry.outcome ?? "done")} · {entry.actor}
          {entry.reason !== null && ` · “${entry.reason}”`}
        </span>
      </span>
    </li>
  );
}
