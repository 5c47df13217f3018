"use client";

import {
  ArrowRightLeft,
  CircleOff,
  Eye,
  Gavel,
  Hourglass,
  type LucideIcon,
  RefreshCw,
  Scale,
  ShieldBan,
} from "lucide-react";
import { useState } from "react";
import type { Received } from "@/lib/client";
import type { LockDetail, LockEvent } from "@/lib/contract";
import { Button } from "../ui/button";
import { ClockTime } from "../ui/clock-time";
import { TimeSince } from "../ui/time-left";

const ICONS: Readonly<Record<LockEvent["kind"], LucideIcon>> = {
  seen: Eye,
  renewed: RefreshCw,
  handed_over: ArrowRightLeft,
  released: CircleOff,
  expired: Hourglass,
  forced: Gavel,
  revoked: ShieldBan,
  verdict: Scale,
};

/** Enough to see what goes on; the rest on request. */
const SHOWN_MAX = 12;

/** Grants, renewals and hand-overs the console has seen, newest first. */
export function Timeline({ lock }: { readonly lock: Received<LockDetail> }) {
  const { timeline, readAt } = lock.value;
  const [isWhole, setIsWhole] = useState(false);
  if (timeline.length === 0) {
    return <p className="text-mute">The console has not seen this lock change yet.</p>;
  }
  return (
    <>
      <ol className="grid gap-1.5">
        {timeline
          .toSorted((a, b) => b.at - a.at)
          .slice(0, isWhole ? undefined : SHOWN_MAX)
          .map((event) => {
            const Icon = ICONS[event.kind];
            return (
              <li
                key={`${event.at} ${event.kind} ${event.text}`}
                className="grid grid-cols-[1.25rem_minmax(0,1fr)] items-baseline gap-x-2 sm:grid-cols-[1.25rem_16rem_minmax(0,1fr)]"
              >
                <Icon aria-hidden className="size-4 translate-y-0.5 text-mute" />
                <span className="text-mute">
                  <ClockTime at={event.at} /> · <TimeSince ageMs={readAt - event.at} takenAt={lock.takenAt} /> ago
                </span>
                <span className="max-sm:col-start-2">
                  {event.text}
                  {event.fingerprint !== null && !event.text.includes(event.fingerprint) && (
                    <code className="text-mute"> {event.fingerprint}</code>
                  )}
                </span>
              </li>
            );
          })}
      </ol>
      {!isWhole && timeline.length > SHOWN_MAX && (
        <Button size="small" className="mt-3" onClick={() => setIsWhole(true)}>
          Show all {timeline.length}
        </Button>
      )}
    </>
  );
}
