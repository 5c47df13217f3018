"use client";

import type { Received } from "@/lib/client";
import type { LockDetail } from "@/lib/contract";
import { TimeLeft } from "../ui/time-left";

/** One sentence for whoever wants the lock: when an acquire could succeed next, counting down. */
export function NextChance({ lock }: { readonly lock: Received<LockDetail> }) {
  const { inMs, text } = lock.value.nextChance;
  return (
    <p className="mb-3">
      <b>
        {inMs === null && "An acquire would not succeed by itself."}
        {inMs === 0 && "An acquire could succeed now."}
        {inMs !== null && inMs > 0 && (
          <>
            An acquire could next succeed in{" "}
            <TimeLeft remainingMs={inMs} takenAt={lock.takenAt} over="no time: its way is free" />.
          </>
        )}
      </b>{" "}
      <span className="text-mute">{text}</span>
    </p>
  );
}
