"use client";

import type { BulkItem, BulkReport } from "@/lib/client";
import { Dialog } from "../ui/dialog";
import { BulkDecision } from "./bulk-decision";
import { BulkPreview } from "./bulk-preview";
import { BulkProgress } from "./bulk-progress";
import { BulkResult } from "./bulk-result";
import { OUTCOME_LOOKS } from "./bulk-words";
import { useBulkRun } from "./use-bulk-run";

type Props = {
  /** The snapshot; a new array asks the nodes anew. */
  readonly items: readonly BulkItem[];
  readonly onLookAgain: () => void;
  /** Called with the ids that nothing more can be done about with this snapshot. */
  readonly onDone: (ids: readonly string[]) => void;
  readonly onClose: () => void;
};

/** Force-expires many locks: dry run, decision, a run that can be stopped, and what became of each. */
export function BulkDialog({ items, onLookAgain, onDone, onClose }: Props) {
  const { step, act, stop } = useBulkRun(items, (reports) => onDone(finished(reports)));
  const isRunning = step.kind === "running";
  return (
    <Dialog
      title={items.length === 1 ? "Force-expire 1 lock" : `Force-expire ${items.length.toLocaleString("en-US")} locks`}
      description="Deletes exactly the tokens that were selected, on every node at once, whatever their holders are doing."
      isOpen
      // Closing a run that goes on would hide it: it is stopped first, and says what it did.
      onOpenChange={(isOpen) => !isOpen && (isRunning ? stop() : onClose())}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {step.kind === "looking" && (
          <div className="pb-5">
            <BulkProgress label="Asking every node what would happen…" done={step.done} total={items.length} />
          </div>
        )}
        {step.kind === "deciding" && (
          <>
            <BulkPreview plan={step.plan} />
            <BulkDecision
              count={step.plan.doable.length}
              onAct={(reason) => void act(reason)}
              onLookAgain={onLookAgain}
              onClose={onClose}
            />
          </>
        )}
        {isRunning && (
          <BulkProgress
            label={step.isStopping ? "Stopping: what was sent is waited for…" : "Force-expiring…"}
            done={step.reports.length}
            total={step.total}
            onStop={stop}
            isStopping={step.isStopping}
          />
        )}
        {step.kind === "done" && <BulkResult reports={step.reports} onClose={onClose} />}
      </div>
    </Dialog>
  );
}

function finished(reports: readonly BulkReport[]): readonly string[] {
  return reports.filter(({ outcome }) => !OUTCOME_LOOKS[outcome].isWorthRetry).map(({ item }) => item.id);
}
