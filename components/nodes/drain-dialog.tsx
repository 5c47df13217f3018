"use client";

import { useState } from "react";
import { asApiError, drainNode } from "@/lib/client";
import { Button } from "../ui/button";
import { Dialog, DialogActions } from "../ui/dialog";
import { ReasonField, reasonProblem } from "../ui/reason-field";

type Props = {
  readonly node: string;
  readonly canLose: number;
  readonly onOpenChange: (isOpen: boolean) => void;
};

/** Says what draining a node does and costs, and does it. */
export function DrainDialog({ node, canLose, onOpenChange }: Props) {
  const [reason, setReason] = useState("");
  const [isActing, setIsActing] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const disabledReason = isActing ? "the node is being asked" : reasonProblem(reason);
  const act = async () => {
    setIsActing(true);
    setProblem(null);
    try {
      const answer = await drainNode(node, reason.trim());
      if (answer.outcome === "drained") onOpenChange(false);
      else setProblem(`Not drained: ${answer.reason ?? "no reason given"}.`);
    } catch (cause) {
      const error = asApiError(cause);
      setProblem(`${error.message} ${error.nextStep}`);
    } finally {
      setIsActing(false);
    }
  };
  return (
    <Dialog
      title={`Drain node ${node}`}
      description="For a planned restart: it gives no more votes, and comes back without a quarantine."
      isOpen
      onOpenChange={onOpenChange}
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (disabledReason === null) void act();
        }}
      >
        <p className="rounded-lg bg-unk-soft px-3.5 py-2.5">
          Its keys stay and can be released, but nothing is granted or extended on it. {costOf(canLose)}
        </p>
        <p className="text-[13.5px] text-mute">
          Then restart it with its data (an append-only file or a snapshot on shutdown) and press Undrain here, on this
          console: another one does not know of the drain and lets the node wait. If it comes back without its data, it
          waits out its quarantine as ever.
        </p>
        <ReasonField value={reason} onChange={setReason} hint="Goes into the record." />
        {problem !== null && (
          <p role="alert" className="text-bad">
            {problem}
          </p>
        )}
        <DialogActions>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button look="primary" type="submit" disabledReason={disabledReason}>
            Drain
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function costOf(canLose: number): string {
  if (canLose <= 0) return "Without it there is no majority: nobody can acquire or extend a lock until it is back.";
  if (canLose === 1) return "Until it is back no other node may fail.";
  return `Until it is back the others can lose ${canLose - 1} more.`;
}
