"use client";

import { ArrowLeft } from "lucide-react";
import Link from "next/link";
import { type Received, useLock } from "@/lib/client";
import type { LockDetail } from "@/lib/contract";
import { CopyButton } from "../ui/copy-button";
import { CopyView } from "../ui/copy-view";
import { Panel } from "../ui/panel";
import { FailedState, LoadingState } from "../ui/states";
import { LockActions } from "./lock-actions";
import { LockEvidence } from "./lock-evidence";
import { LockHeadline } from "./lock-headline";
import { NextChance } from "./next-chance";
import { NodeMatrix } from "./node-matrix";
import { Timeline } from "./timeline";
import { TwoClocks } from "./two-clocks";

/** One resource on every node, also when it is free. */
export function LockSection({ id, resource }: { readonly id: string; readonly resource: string }) {
  const state = useLock(id);
  return (
    <div className="grid gap-4">
      <div>
        <Link
          href="/locks"
          className="inline-flex min-h-6 items-center gap-1 text-[13px] text-mute underline-offset-4 hover:text-ink hover:underline"
        >
          <ArrowLeft aria-hidden className="size-3.5" />
          All locks
        </Link>
        <div className="mt-1 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1">
            <h1 className="min-w-0 break-all font-mono font-semibold text-[20px]">
              {resource} <CopyButton text={resource} what="resource" />
            </h1>
            {state.kind === "ready" && <CopyView value={state.lock.value} />}
          </div>
          {state.kind === "ready" && <LockActions lock={state.lock} />}
        </div>
      </div>
      {state.kind === "loading" && <LoadingState what="lock" />}
      {state.kind === "failed" && <FailedState error={state.error} />}
      {state.kind === "ready" && (
        <div className={state.staleBecause === null ? "" : "stale-look"}>
          <LockLook lock={state.lock} />
        </div>
      )}
    </div>
  );
}

function LockLook({ lock }: { readonly lock: Received<LockDetail> }) {
  return (
    <div className="grid gap-4">
      <LockHeadline lock={lock} />
      <div className="grid items-stretch gap-4 lg:grid-cols-[1.4fr_1fr]">
        <Panel title="Two clocks">
          <TwoClocks lock={lock} />
        </Panel>
        <Panel title={lock.value.verdict === "free" ? "What is known" : "Is it stuck?"}>
          <LockEvidence lock={lock} />
        </Panel>
      </div>
      <Panel title={lock.value.nextChance.inMs === 0 ? "Node × token" : "Node × token: why can’t I acquire this?"}>
        <NextChance lock={lock} />
        <NodeMatrix lock={lock} />
      </Panel>
      <Panel title="Timeline">
        <Timeline lock={lock} />
      </Panel>
    </div>
  );
}
