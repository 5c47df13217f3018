"use client";

import type { BulkReport } from "@/lib/client";
import { TimeLeft } from "../ui/time-left";
import { BulkTable } from "./bulk-table";
import type { BulkPlan } from "./use-bulk-run";

/** What the dry run found, before anything is done. */
export function BulkPreview({ plan: { doable, leftAlone } }: { readonly plan: BulkPlan }) {
  const all = doable.length + leftAlone.length;
  return (
    <>
      <p>
        {doable.length === all ? (
          <b>{all === 1 ? "It can be expired." : `All ${all.toLocaleString("en-US")} can be expired.`}</b>
        ) : (
          <>
            <b>
              {doable.length.toLocaleString("en-US")} of {all.toLocaleString("en-US")} can be expired;
            </b>{" "}
            {leftAlone.length.toLocaleString("en-US")} will be left alone.
          </>
        )}{" "}
        {doable.length > 0 && (
          <span className="text-mute">
            Safer: wait until they expire, or revoke them one by one on their pages. A lock that changes hands meanwhile
            is left alone.
          </span>
        )}
      </p>
      <BulkTable caption="What will happen to every lock" reports={[...leftAlone, ...doable]} isPreview />
      {doable.length > 0 && <OldHolders doable={doable} />}
    </>
  );
}

/** Until when the last of the old holders may still act: the one thing no delete can change. */
function OldHolders({ doable }: { readonly doable: readonly BulkReport[] }) {
  const last = doable.reduce((latest, report) => (endOf(report) > endOf(latest) ? report : latest));
  const mayActMs = last.answer?.oldHolderMayActForMs ?? null;
  if (mayActMs === 0) {
    return <p className="rounded-lg bg-track px-3.5 py-2.5">Nobody can still believe to hold one of them.</p>;
  }
  return (
    <p className="rounded-lg bg-risk-soft px-3.5 py-2.5">
      Old holders may still act{" "}
      <b>
        {mayActMs === null ? (
          "without an end that is known"
        ) : (
          <>
            for at most <TimeLeft remainingMs={mayActMs} takenAt={last.takenAt} />
          </>
        )}
      </b>
      : who gets a lock in that time works beside its old holder, unless the resource itself checks a fencing token.
    </p>
  );
}

/** Monotonic milliseconds; infinite when no end is known. */
function endOf({ answer, takenAt }: BulkReport): number {
  return answer?.oldHolderMayActForMs == null ? Number.POSITIVE_INFINITY : takenAt + answer.oldHolderMayActForMs;
}
