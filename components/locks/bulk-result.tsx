"use client";

import { CircleCheck, TriangleAlert } from "lucide-react";
import type { BulkReport } from "@/lib/client";
import { Button } from "../ui/button";
import { CopyButton } from "../ui/copy-button";
import { DialogActions } from "../ui/dialog";
import { BulkTable } from "./bulk-table";
import { OUTCOME_LOOKS, resultText, tally } from "./bulk-words";

type Props = { readonly reports: readonly BulkReport[]; readonly onClose: () => void };

/** What became of every lock that was selected. */
export function BulkResult({ reports, onClose }: Props) {
  const isDone = reports.every(({ outcome }) => outcome === "expired" || outcome === "gone");
  const canRetry = reports.some(({ outcome }) => OUTCOME_LOOKS[outcome].isWorthRetry);
  return (
    <>
      <div role="status" className={`rounded-lg px-3.5 py-3 ${isDone ? "bg-ok-soft" : "bg-risk-soft"}`}>
        <p className={`flex items-center gap-2 font-semibold ${isDone ? "text-ok" : "text-risk"}`}>
          {isDone ? <CircleCheck aria-hidden className="size-4" /> : <TriangleAlert aria-hidden className="size-4" />}
          {tally(reports)}
        </p>
        {canRetry && <p className="mt-1">What may go better another time is still selected.</p>}
      </div>
      <BulkTable caption="What happened to every lock" reports={worstFirst(reports)} />
      <p className="flex flex-wrap items-center justify-between gap-2 text-mute">
        What was begun is in the record, with your reason and every node's answer.
        <CopyButton text={resultText(reports)} what="result">
          Copy as text
        </CopyButton>
      </p>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </>
  );
}

/** What did not go as meant is what the reader must see. */
function worstFirst(reports: readonly BulkReport[]): readonly BulkReport[] {
  return [
    ...reports.filter(({ outcome }) => outcome !== "expired"),
    ...reports.filter(({ outcome }) => outcome === "expired"),
  ];
}
