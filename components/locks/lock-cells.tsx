"use client";

import Link from "next/link";
import { type Received, silentNodes } from "@/lib/client";
import { type LockView, seenForMs } from "@/lib/contract";
import { Badge } from "../ui/badge";
import { TimeLeft, TimeSince } from "../ui/time-left";
import { useLiveVerdict } from "./use-live-verdict";
import { ValidityBar } from "./validity-bar";
import { VERDICT_LOOKS } from "./verdicts";

// The parts of a row, shared by the table, the cards and the overview.

type Props = { readonly lock: Received<LockView> };

/** Name of the resource, leading to its page. */
export function ResourceLink({ lock }: Props) {
  const { id, resource, noExpiry, revoked } = lock.value;
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Link
        href={`/locks/${id}`}
        data-row-link
        prefetch={false}
        title={resource}
        className="block min-h-6 truncate py-0.5 font-mono text-ink underline-offset-4 hover:underline"
      >
        {resource}
      </Link>
      {noExpiry && (
        <Badge tone="bad" isSmall>
          no expiry
        </Badge>
      )}
      {revoked && (
        <Badge tone="unk" isSmall>
          revoked
        </Badge>
      )}
    </span>
  );
}

/** Who holds it, as far as it can be told from outside. */
export function HolderName({ lock }: Props) {
  const { holder } = lock.value;
  if (holder === null) return <span className="text-mute">–</span>;
  if (holder.label === null) return <span className="font-mono">{holder.fingerprint}</span>;
  return <span title={`fingerprint ${holder.fingerprint}`}>{holder.label}</span>;
}

/** How long it is held for at least, or what stands in its place. */
export function HeldFor({ lock }: Props) {
  const { value, takenAt } = lock;
  const verdict = useLiveVerdict(lock);
  const look = VERDICT_LOOKS[verdict.kind];
  switch (verdict.kind) {
    case "held":
    case "at_risk":
      return (
        <span className="flex items-center gap-2.5">
          <span className="w-20 shrink-0">
            <ValidityBar
              remainingMs={value.heldForAtLeastMs}
              takenAt={takenAt}
              fullMs={value.fullMs}
              fill={look.bar}
              hasDrift
            />
          </span>
          <TimeLeft remainingMs={value.heldForAtLeastMs} takenAt={takenAt} never="without end" />
        </span>
      );
    case "possibly_held":
      return <span className="text-mute">unknown · {silentNodes(value).join(", ") || "some nodes"} silent</span>;
    case "split":
    case "leftover":
      return (
        <span className="text-mute">
          nobody · free <Until remainingMs={value.freeFromMs} takenAt={takenAt} />
        </span>
      );
    case "free":
      return <span className="text-mute">free now</span>;
    default:
      return verdict.kind satisfies never;
  }
}

function Until({ remainingMs, takenAt }: { readonly remainingMs: number | null; readonly takenAt: number | null }) {
  if (remainingMs === null) return <>never by itself</>;
  if (remainingMs === 0) return <>now</>;
  return (
    <>
      in <TimeLeft remainingMs={remainingMs} takenAt={takenAt} />
    </>
  );
}

/** Since when the console knows it, and how often it was renewed. */
export function SeenSince({ lock }: Props) {
  const { value, takenAt } = lock;
  if (value.firstSeenAt === null) return <span className="text-mute">–</span>;
  return (
    <span>
      <TimeSince ageMs={seenForMs(value)} takenAt={takenAt} /> ago
      {value.renewals > 0 && (
        <span className="text-mute" title={`renewed ${value.renewals.toLocaleString("en-US")} times`}>
          {" "}
          · {value.renewals.toLocaleString("en-US")}×
        </span>
      )}
    </span>
  );
}

/** The client library that wrote it, and how sure that is. */
export function ClientName({ lock }: Props) {
  const { layout } = lock.value;
  if (layout === null) return <span className="text-mute">unknown</span>;
  return (
    <span title={`${layout.label} (${layout.confidence})`}>
      {layout.label} <span className="text-mute">({layout.confidence})</span>
    </span>
  );
}
