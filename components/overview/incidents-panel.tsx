"use client";

import Link from "next/link";
import { useIncidents } from "@/lib/client";
import type { Incident } from "@/lib/contract";
import { CAUSE_LOOKS, overlapWords } from "../incidents/cause-words";
import { ClockTime, TimeAgo } from "../ui/clock-time";
import { Panel } from "../ui/panel";

const SHOWN_MAX = 3;

/** The latest incidents; when there was none, what would stand here. */
export function IncidentsPanel() {
  const state = useIncidents();
  const link = (
    <Link
      href="/incidents"
      className="inline-flex min-h-6 items-center font-semibold text-[13px] text-accent underline-offset-4 hover:underline"
    >
      All incidents
    </Link>
  );
  return (
    <Panel title="Incidents" aside={link}>
      {body(state)}
    </Panel>
  );
}

function body(state: ReturnType<typeof useIncidents>) {
  switch (state.kind) {
    case "loading":
      return (
        <p role="status" aria-label="Loading incidents" className="text-mute">
          Loading…
        </p>
      );
    case "failed":
      return (
        <p role="alert">
          <b className="text-bad">{state.error.message}</b> {state.error.nextStep}
        </p>
      );
    case "ready": {
      const { incidents, since } = state.list;
      if (incidents.length === 0) {
        return (
          <p className="text-mute">
            None since <ClockTime at={since} />. A second token that gets a lock before the first one’s time is over
            would stand here, with the probable cause.
          </p>
        );
      }
      return (
        <ol className="divide-y divide-line">
          {incidents.slice(0, SHOWN_MAX).map((incident) => (
            <Line key={incident.id} incident={incident} />
          ))}
        </ol>
      );
    }
    default:
      return state satisfies never;
  }
}

function Line({ incident }: { readonly incident: Incident }) {
  const { icon: Icon, word } = CAUSE_LOOKS[incident.cause.kind];
  return (
    <li className="grid items-center gap-x-4 gap-y-1 py-2 md:grid-cols-[12rem_minmax(0,1.2fr)_minmax(0,1fr)]">
      <span className="inline-flex items-center gap-1.5 font-semibold text-bad">
        <Icon aria-hidden className="size-4 shrink-0" />
        {word}
      </span>
      <Link
        href={`/incidents#incident-${incident.id}`}
        className="min-w-0 truncate py-0.5 font-mono underline-offset-4 hover:underline"
      >
        {incident.lock.resource}
      </Link>
      <span className="text-mute">
        two holders for up to {overlapWords(incident.overlapMs)} · <TimeAgo at={incident.at} />
      </span>
    </li>
  );
}
