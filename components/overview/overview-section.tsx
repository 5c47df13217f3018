"use client";

import { type Received, useCluster, useLockSet } from "@/lib/client";
import type { Cluster } from "@/lib/contract";
import { FailedState, LoadingState } from "../ui/states";
import { DemonstrationButton, DemonstrationInvitation } from "./demonstration";
import { LocksPanel } from "./locks-panel";
import { NodesPanel } from "./nodes-panel";
import { ProblemsPanel } from "./problems-panel";
import { QuorumPanel } from "./quorum-panel";
import { RecentActions } from "./recent-actions";

/** The state of everything on one page, problems first. */
export function OverviewSection() {
  const state = useCluster();
  const locks = useLockSet();
  const isEmpty = locks.kind === "ready" && ![...locks.set.byId.values()].some(({ value }) => value.verdict !== "free");
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="font-semibold text-[20px]">Overview</h1>
        {state.kind === "ready" && (!isEmpty || state.cluster.value.demonstration.running) && (
          <DemonstrationButton cluster={state.cluster.value} />
        )}
      </div>
      {state.kind === "loading" && <LoadingState what="overview" />}
      {state.kind === "failed" && <FailedState error={state.error} />}
      {state.kind === "ready" && (
        <div className={state.staleBecause === null ? "" : "stale-look"}>
          <Panels cluster={state.cluster} isEmpty={isEmpty} />
        </div>
      )}
    </div>
  );
}

function Panels({ cluster, isEmpty }: { readonly cluster: Received<Cluster>; readonly isEmpty: boolean }) {
  const { demonstration } = cluster.value;
  return (
    <div className="grid gap-4">
      {isEmpty && demonstration.available && !demonstration.running && (
        <DemonstrationInvitation cluster={cluster.value} />
      )}
      <div className="grid gap-4 md:grid-cols-2">
        <QuorumPanel cluster={cluster} />
        <LocksPanel />
      </div>
      <ProblemsPanel cluster={cluster} />
      <div className="grid items-start gap-4 lg:grid-cols-[1.15fr_1fr]">
        <NodesPanel cluster={cluster} />
        <RecentActions />
      </div>
    </div>
  );
}
