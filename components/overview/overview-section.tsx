"use client";

import { type Received, useCluster, useLockSet } from "@/lib/client";
import type { Cluster } from "@/lib/contract";
import { useKiosk } from "../layout/use-kiosk";
import { FailedState, LoadingState } from "../ui/states";
import { DemonstrationButton, DemonstrationInvitation } from "./demonstration";
import { IncidentsPanel } from "./incidents-panel";
import { LocksPanel } from "./locks-panel";
import { NodesPanel } from "./nodes-panel";
import { ProblemsPanel } from "./problems-panel";
import { QuorumPanel } from "./quorum-panel";
import { RecentActions } from "./recent-actions";

/** The state of everything on one page; on a wallboard the problems come first and nothing can be changed. */
export function OverviewSection() {
  const { isKiosk } = useKiosk();
  const state = useCluster();
  const locks = useLockSet();
  const isEmpty =
    locks.kind === "ready" &&
    locks.set.isWhole &&
    ![...locks.set.byId.values()].some(({ value }) => value.verdict !== "free");
  return (
    <div className="grid gap-4">
      <div className={isKiosk ? "sr-only" : "flex flex-wrap items-center justify-between gap-3"}>
        <h1 className="font-semibold text-[20px]">Overview</h1>
        {!isKiosk && state.kind === "ready" && (!isEmpty || state.cluster.value.demonstration.running) && (
          <DemonstrationButton cluster={state.cluster.value} />
        )}
      </div>
      {state.kind === "loading" && <LoadingState what="overview" />}
      {state.kind === "failed" && <FailedState error={state.error} />}
      {state.kind === "ready" && (
        <div className={state.staleBecause === null ? "" : "stale-look"}>
          <Panels cluster={state.cluster} isEmpty={isEmpty} isKiosk={isKiosk} />
        </div>
      )}
    </div>
  );
}

type PanelsProps = { readonly cluster: Received<Cluster>; readonly isEmpty: boolean; readonly isKiosk: boolean };

function Panels({ cluster, isEmpty, isKiosk }: PanelsProps) {
  const { demonstration } = cluster.value;
  const isInviting = isEmpty && demonstration.available && !demonstration.running && !isKiosk;
  return (
    <div className="grid gap-4">
      {isInviting && <DemonstrationInvitation cluster={cluster.value} />}
      {isKiosk && <ProblemsPanel cluster={cluster} />}
      <div className="grid gap-4 md:grid-cols-2">
        <QuorumPanel cluster={cluster} />
        <LocksPanel />
      </div>
      {!isKiosk && <ProblemsPanel cluster={cluster} />}
      <IncidentsPanel />
      <div className="grid items-start gap-4 lg:grid-cols-[1.15fr_1fr]">
        <NodesPanel cluster={cluster} />
        <RecentActions />
      </div>
    </div>
  );
}
