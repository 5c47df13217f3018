"use client";

import { memo } from "react";
import { formatExactly, silentNodes } from "@/lib/client";
import { type LockView, seenForMs } from "@/lib/contract";
import { Badge } from "../ui/badge";
import type { LiveRow } from "./use-live-row";
import { BarAt } from "./validity-bar";
import { VERDICT_LOOKS } from "./verdicts";

// The parts of a row, shared by the table, the cards and the overview. Few elements and no clock of their own: a turn of the wheel makes
// several rows.

type Props = { readonly lock: LockView };
type LiveProps = Props & { readonly live: LiveRow };

/** Name of the resource, leading to its page. `SoftLinks` follows it. */
export const ResourceLink = memo(function ResourceLink({ lock: { id, resource, noExpiry, revoked } }: Props) {
  const link = (
    <a
      href={`/locks/${id}`}
      data-row-link
      title={resource}
      className="block min-h-6 truncate py-0.5 font-mono text-ink underline-offset-4 hover:underline"
    >
      {resource}
    </a>
  );
  if (!noExpiry && !revoked) return link;
  return (
    <span className="flex min-w-0 items-center gap-2">
      {link}
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
});

/** Who holds it, as far as it can be told from outside. */
export const HolderName = memo(function HolderName({ lock: { holder } }: Props) {
  if (holder === null) return <span className="text-mute">–</span>;
  if (holder.label === null) return <span className="font-mono">{holder.fingerprint}</span>;
  return <span title={`fingerprint ${holder.fingerprint}`}>{holder.label}</span>;
});

/** How long it is held for at least, or what stands in its place. */
export function HeldFor({ lock, live }: LiveProps) {
  const { heldForAtLeastMs, freeFromMs, fullMs } = lock;
  switch (live.verdict) {
    case "held":
    case "at_risk":
      return (
        <>
          <span className="mr-2.5 inline-block w-20 align-middle">
            <BarAt
              step={live.barStep}
              remainingMs={heldForAtLeastMs}
              fullMs={fullMs}
              fill={VERDICT_LOOKS[live.verdict].bar}
              hasDrift
            />
          </span>
          <Countdown fromMs={heldForAtLeastMs} text={live.left || "without end"} />
        </>
      );
    case "possibly_held":
      return <span className="text-mute">unknown · {silentNodes(lock).join(", ") || "some nodes"} silent</span>;
    case "split":
    case "leftover":
      return (
        <span className="text-mute">
          nobody · free{" "}
          {freeFromMs === null ? (
            "never by itself"
          ) : freeFromMs === 0 ? (
            "now"
          ) : (
            <>
              in <Countdown fromMs={freeFromMs} text={live.freeIn} />
            </>
          )}
        </span>
      );
    case "free":
      return <span className="text-mute">free now</span>;
    default:
      return live.verdict satisfies never;
  }
}

/** A time that counts down: never announced, and with every digit of what was read on hover. */
function Countdown({ fromMs, text }: { readonly fromMs: number | null; readonly text: string }) {
  const exact = fromMs === null ? undefined : `${formatExactly(fromMs)} when it was read`;
  return (
    <span role="timer" aria-live="off" title={exact} className="whitespace-nowrap">
      {text}
    </span>
  );
}

/** Since when the console knows it, and how often it was renewed. */
export function SeenSince({ lock, live }: LiveProps) {
  const { firstSeenAt, renewals } = lock;
  if (firstSeenAt === null) return <span className="text-mute">–</span>;
  const count = renewals.toLocaleString("en-US");
  return (
    <>
      <span role="timer" aria-live="off" title={`${formatExactly(seenForMs(lock))} when it was read`}>
        {live.seenFor} ago
      </span>
      {renewals > 0 && (
        <span className="text-mute" title={`renewed ${count} times`}>
          {" "}
          · {count}×
        </span>
      )}
    </>
  );
}

/** The client library that wrote it, and how sure that is. */
export const ClientName = memo(function ClientName({ lock: { layout } }: Props) {
  if (layout === null) return <span className="text-mute">unknown</span>;
  return (
    <span title={`${layout.label} (${layout.confidence})`}>
      {layout.label} <span className="text-mute">({layout.confidence})</span>
    </span>
  );
});
