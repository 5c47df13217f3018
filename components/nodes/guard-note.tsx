"use client";

import { ShieldAlert, ShieldOff } from "lucide-react";
import { useState } from "react";
import type { Cluster } from "@/lib/contract";
import { Button } from "../ui/button";
import { TimeLeft } from "../ui/time-left";
import { BootstrapDialog } from "./bootstrap-dialog";

type Props = {
  readonly cluster: Cluster;
  /** Monotonic milliseconds when the facts were read. */
  readonly takenAt: number | null;
  /** Why nothing may be done now; null when it may. */
  readonly blocked: string | null;
};

/** What the restart guard has to say about the membership as a whole: nothing while every node votes. */
export function GuardNote({ cluster, takenAt, blocked }: Props) {
  const [isAsking, setIsAsking] = useState(false);
  const barred = cluster.nodes.filter(
    ({ condition }) => condition === "quarantined" || condition === "config_mismatch",
  );
  if (cluster.guard.mode === "off") {
    if (cluster.readOnly) return null;
    return (
      <p className="flex gap-2 text-[13.5px] text-mute">
        <ShieldOff aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span>
          The restart guard is off: a master that restarts without its data may vote twice. Start the console with{" "}
          <code>REDLOCK_GUARD=full</code> to keep such a master out until every lock it forgot has ended.
        </span>
      </p>
    );
  }
  if (barred.length === 0 && !isAsking) return null;
  const longestMs = Math.max(0, ...barred.map(({ quarantinedForMs }) => quarantinedForMs));
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-line bg-panel px-4 py-3">
      <ShieldAlert aria-hidden className="size-5 text-unk" />
      <p className="min-w-0 grow basis-80">
        <b>
          {barred.length} of {cluster.n} nodes {barred.length === 1 ? "is" : "are"} kept out
        </b>
        {longestMs > 0 && (
          <>
            {" "}
            for <TimeLeft remainingMs={longestMs} takenAt={takenAt} over="a moment" /> more
          </>
        )}
        : they may have forgotten votes, or are used for the first time. If no client can hold a lock now, they need not
        wait.
      </p>
      <Button disabledReason={blocked} onClick={() => setIsAsking(true)}>
        Bootstrap…
      </Button>
      {/* Made anew each time: nothing typed for one decision may count for the next. */}
      {isAsking && <BootstrapDialog isOpen onOpenChange={setIsAsking} />}
    </div>
  );
}
