"use client";

import { ShieldCheck } from "lucide-react";
import { useIncidents } from "@/lib/client";
import type { IncidentList } from "@/lib/contract";
import { ClockTime } from "../ui/clock-time";
import { EmptyState, FailedState, LoadingState } from "../ui/states";
import { IncidentCard } from "./incident-card";

/** Second holders that the console noticed, newest first. */
export function IncidentsSection() {
  const state = useIncidents();
  return (
    <div className="grid gap-4">
      <div>
        <h1 className="font-semibold text-[20px]">Incidents</h1>
        <p className="mt-1 max-w-prose text-mute">
          A second token reached a majority before the first one’s time was over, and nothing speaks for a release.
        </p>
      </div>
      {state.kind === "loading" && <LoadingState what="incidents" />}
      {state.kind === "failed" && <FailedState error={state.error} />}
      {state.kind === "ready" && (
        <div className={state.staleBecause === null ? "grid gap-4" : "stale-look grid gap-4"}>
          <Incidents list={state.list} />
        </div>
      )}
    </div>
  );
}

function Incidents({ list }: { readonly list: IncidentList }) {
  if (list.incidents.length === 0) {
    return (
      <EmptyState icon={<ShieldCheck />} title="No incident noticed">
        The console has been watching since <ClockTime at={list.since} />. Here would stand which lock two tokens held
        at the same time, for how long, and why: a node that restarted empty or was flushed, a clock that was put
        forward, an expiry that somebody shortened, or a lock that an operator forced. A key deleted by hand on every
        node looks like a release and cannot be noticed.
      </EmptyState>
    );
  }
  return (
    <>
      {list.incidents.map((incident) => (
        <IncidentCard key={incident.id} incident={incident} />
      ))}
      <p className="text-[13px] text-mute">
        Since <ClockTime at={list.since} />, when this console was started; the latest 200 are kept.
      </p>
    </>
  );
}
