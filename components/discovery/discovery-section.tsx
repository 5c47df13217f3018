"use client";

import { RefreshCw, Search } from "lucide-react";
import { type DiscoveryState, useDiscovery } from "@/lib/client";
import type { DiscoveryAnswer } from "@/lib/contract";
import { Button } from "../ui/button";
import { EmptyState, FailedState } from "../ui/states";
import { DiscoveryResult } from "./discovery-result";

/** Finds out where locks are: samples the nodes when asked to, and shows which kinds of keys look like locks. */
export function DiscoverySection() {
  const state = useDiscovery();
  const { answer, isRunning, error } = state;
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="font-semibold text-[20px]">Discovery</h1>
        {/* Always at this place: a button that moves would take the focus with it. */}
        <SampleButton state={state} />
      </div>
      <p className="max-w-prose text-mute">
        Which keys on your nodes are locks? The console looks at a part of the keys of every node, groups them by name
        and type, and says which groups look like locks and why. It only reads, and shows no values.
      </p>
      <p role="status" className={isRunning ? "rounded-xl border border-line bg-panel px-4 py-3" : "sr-only"}>
        {isRunning && "Sampling the nodes: about 2,000 keys of each, at most some seconds…"}
        {!isRunning && answer !== null && summaryOf(answer)}
      </p>
      {error !== null && (
        <FailedState error={error}>
          {answer !== null && <p className="mt-1">Below is what the sampling before it found.</p>}
        </FailedState>
      )}
      {answer !== null && <DiscoveryResult answer={answer} />}
      {answer === null && (
        <div className="rounded-xl border border-line bg-panel">
          <EmptyState icon={<Search />} title="Nothing sampled yet">
            Press “Sample the nodes”. The answer names the groups that look like locks, and the line of settings that
            makes the console read them.
          </EmptyState>
        </div>
      )}
    </div>
  );
}

function summaryOf({ groups }: DiscoveryAnswer): string {
  const locks = groups.filter(({ looksLikeLock }) => looksLikeLock !== "no").length;
  return `Sampled: ${locks} of ${groups.length} groups of keys look like locks.`;
}

function SampleButton({ state }: { readonly state: DiscoveryState }) {
  const { answer, isRunning, sample } = state;
  return (
    <Button
      look={answer === null ? "primary" : "plain"}
      disabledReason={isRunning ? "the nodes are being sampled" : null}
      onClick={sample}
    >
      <RefreshCw aria-hidden className={isRunning ? "size-4 motion-safe:animate-spin" : "size-4"} />
      {answer === null ? "Sample the nodes" : "Sample again"}
    </Button>
  );
}
