"use client";

import { CircleCheck, ServerCrash } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { type Received, useLockSet } from "@/lib/client";
import { type Cluster, type ClusterNode, isProblem, type LockView, SEVERITY } from "@/lib/contract";
import { EVIDENCE_WORDS } from "../locks/evidence-words";
import { HeldFor, ResourceLink, SeenSince } from "../locks/lock-cells";
import { LockPips } from "../locks/pips";
import { useLiveRow } from "../locks/use-live-row";
import { VerdictBadge } from "../locks/verdict-badge";
import { nodeLook } from "../nodes/node-looks";
import { Badge } from "../ui/badge";
import { Panel } from "../ui/panel";

const SHOWN_MAX = 8;

/** What needs somebody: nodes that do not vote or have faults, then locks, worst first. */
export function ProblemsPanel({ cluster }: { readonly cluster: Received<Cluster> }) {
  const state = useLockSet();
  const nodes = cluster.value.nodes.filter((node) => node.faults.length > 0 || nodeLook(node).word !== "up");
  const locks = state.kind === "ready" ? worstFirst([...state.set.byId.values()]) : [];
  const count = (state.kind === "ready" ? state.set.page?.problems : undefined) ?? locks.length;
  if (nodes.length === 0 && locks.length === 0) {
    return (
      <Panel title="Problems first">
        <p className="flex items-center gap-2">
          <CircleCheck aria-hidden className="size-4 text-ok" />
          Nothing needs you: every node votes, and every lock has nodes to spare.
        </p>
      </Panel>
    );
  }
  return (
    <Panel title="Problems first">
      <ul className="divide-y divide-line">
        {nodes.map((node) => (
          <NodeProblem key={node.id} node={node} />
        ))}
        {locks.slice(0, SHOWN_MAX).map((lock) => (
          <LockProblem key={lock.value.id} lock={lock} />
        ))}
      </ul>
      {count > SHOWN_MAX && (
        <Link
          href="/locks?show=problems"
          className="mt-2 inline-flex min-h-6 items-center font-semibold text-accent underline-offset-4 hover:underline"
        >
          All {count.toLocaleString("en-US")} locks with problems
        </Link>
      )}
    </Panel>
  );
}

function worstFirst(locks: readonly Received<LockView>[]): readonly Received<LockView>[] {
  return locks
    .filter(({ value }) => value.verdict !== "free" && isProblem(value))
    .sort((a, b) => SEVERITY.indexOf(a.value.verdict) - SEVERITY.indexOf(b.value.verdict));
}

function Row({ children }: { readonly children: ReactNode }) {
  return (
    <li className="grid items-center gap-x-4 gap-y-1 py-2 md:grid-cols-[9rem_minmax(0,1.2fr)_8rem_minmax(0,1.5fr)]">
      {children}
    </li>
  );
}

function NodeProblem({ node }: { readonly node: ClusterNode }) {
  const { word, tone } = nodeLook(node);
  const color = tone === "unk" ? "text-unk" : tone === "risk" || tone === "ok" ? "text-risk" : "text-bad";
  return (
    <Row>
      <span className={`inline-flex items-center gap-1.5 font-semibold ${color}`}>
        <ServerCrash aria-hidden className="size-4" />
        {word === "up" ? "fault" : word}
      </span>
      <Link href="/nodes" className="min-w-0 truncate py-0.5 underline-offset-4 hover:underline">
        node <b>{node.id}</b> <code className="text-mute">{node.address}</code>
      </Link>
      <span className="min-w-0 break-words text-mute md:col-span-2">{node.faults[0] ?? "It does not vote."}</span>
    </Row>
  );
}

function LockProblem({ lock }: { readonly lock: Received<LockView> }) {
  const live = useLiveRow(lock);
  return (
    <Row>
      <VerdictBadge lock={lock} />
      <ResourceLink lock={lock.value} />
      <LockPips lock={lock} />
      <span className="flex min-w-0 flex-wrap items-center gap-x-3">
        <HeldFor lock={lock.value} live={live} />
        <span className="text-mute">
          seen <SeenSince lock={lock.value} live={live} />
        </span>
        {lock.value.evidence.map(({ kind, text }) => (
          <Badge key={kind} tone="risk" isSmall>
            <span title={text}>{EVIDENCE_WORDS[kind]}</span>
          </Badge>
        ))}
      </span>
    </Row>
  );
}
