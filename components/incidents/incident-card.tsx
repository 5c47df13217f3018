import Link from "next/link";
import { useId } from "react";
import type { Incident } from "@/lib/contract";
import { Badge } from "../ui/badge";
import { ClockTime, TimeAgo } from "../ui/clock-time";
import { CopyButton } from "../ui/copy-button";
import { CAUSE_LOOKS, FATE_WORDS, overlapWords } from "./cause-words";
import { IncidentPicture } from "./incident-picture";

/** One incident: which lock, when, both tokens on one scale of time, why, what to do, and what was seen in order. */
export function IncidentCard({ incident }: { readonly incident: Incident }) {
  const headingId = useId();
  const { lock, at, cause, overlapMs } = incident;
  const { icon: Icon, word } = CAUSE_LOOKS[cause.kind];
  return (
    <article
      aria-labelledby={headingId}
      id={`incident-${incident.id}`}
      className="grid min-w-0 gap-3 rounded-xl border border-line bg-panel px-4 py-3.5"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id={headingId} className="min-w-0 break-all font-mono font-semibold text-[16px]">
          <Link href={`/locks/${lock.id}`} prefetch={false} className="underline-offset-4 hover:underline">
            {lock.resource}
          </Link>
        </h2>
        <Badge tone="bad">
          <Icon aria-hidden className="size-3.5" />
          {word}
        </Badge>
        <span className="text-[13px] text-mute">
          <ClockTime at={at} /> · <TimeAgo at={at} />
        </span>
      </div>
      <p>
        <Token fingerprint={incident.first.fingerprint} label={incident.first.label} /> still had up to{" "}
        <b>{overlapWords(overlapMs)}</b> of its time when{" "}
        <Token fingerprint={incident.second.fingerprint} label={incident.second.label} /> got a majority: so long both
        could believe that they hold it.
      </p>
      <IncidentPicture incident={incident} />
      <p>
        <b>Probable cause:</b> {cause.text}
      </p>
      <p>
        <b>Next step:</b> {cause.nextStep}
      </p>
      <WhatWasSeen incident={incident} />
    </article>
  );
}

function Token({ fingerprint, label }: { readonly fingerprint: string; readonly label: string | null }) {
  return (
    <span className="whitespace-nowrap">
      <code className="font-semibold">{fingerprint}</code>
      <CopyButton text={fingerprint} what="fingerprint" />
      {label !== null && ` (${label})`}
    </span>
  );
}

function WhatWasSeen({ incident }: { readonly incident: Incident }) {
  const { first, nodes, timeline } = incident;
  return (
    <details>
      <summary className="w-fit rounded text-accent underline-offset-4 hover:underline">What was seen</summary>
      <ul aria-label={`What became of ${first.fingerprint}, node by node`} className="mt-2 flex flex-wrap gap-1.5">
        {nodes.map(({ node, fate }) => (
          <li key={node}>
            <Badge tone={fate === "kept" ? "ok" : "plain"} isSmall>
              <b>{node}</b> {FATE_WORDS[fate]}
            </Badge>
          </li>
        ))}
      </ul>
      <ol className="mt-2 grid gap-1.5">
        {timeline.map(({ at, text }) => (
          <li key={`${at} ${text}`} className="grid gap-x-3 sm:grid-cols-[10rem_minmax(0,1fr)]">
            <span className="text-mute">
              <ClockTime at={at} />
            </span>
            <span className="min-w-0 break-words">{text}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}
