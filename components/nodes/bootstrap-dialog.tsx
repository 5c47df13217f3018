"use client";

import { useState } from "react";
import { asApiError, bootstrapCluster } from "@/lib/client";
import { Button } from "../ui/button";
import { Dialog, DialogActions } from "../ui/dialog";
import { ReasonField, reasonProblem } from "../ui/reason-field";
import { TypedConfirmation } from "../ui/typed-confirmation";

const EXPECTED = "no lock is held";

type Props = {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
};

/** Ends the quarantine of every node on the operator's word; asks for that word letter by letter. */
export function BootstrapDialog({ isOpen, onOpenChange }: Props) {
  const [reason, setReason] = useState("");
  const [typed, setTyped] = useState("");
  const [isActing, setIsActing] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const missing = reasonProblem(reason);
  const untyped = typed === EXPECTED ? null : "type the sentence first";
  const disabledReason = isActing ? "the nodes are being asked" : (missing ?? untyped);
  const act = async () => {
    setIsActing(true);
    setProblem(null);
    try {
      const { nodes } = await bootstrapCluster(reason.trim());
      const failed = nodes.filter(({ admitted }) => !admitted);
      if (failed.length === 0) onOpenChange(false);
      else setProblem(failed.map(({ node, reason: why }) => `Node ${node} was not told: ${why}.`).join(" "));
    } catch (cause) {
      const error = asApiError(cause);
      setProblem(`${error.message} ${error.nextStep}`);
    } finally {
      setIsActing(false);
    }
  };
  return (
    <Dialog
      title="Bootstrap the cluster"
      description="Every node votes at once, without waiting for its quarantine to end."
      isOpen={isOpen}
      onOpenChange={onOpenChange}
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (disabledReason === null) void act();
        }}
      >
        <p className="rounded-lg bg-risk-soft px-3.5 py-2.5">
          Right for masters that are used for the first time, or after their list was changed, while no client holds a
          lock. If one does, a second client can take the same lock: the nodes may have forgotten it.
        </p>
        <ReasonField value={reason} onChange={setReason} hint="Goes into the record." />
        <TypedConfirmation expected={EXPECTED} value={typed} onChange={setTyped} />
        {problem !== null && (
          <p role="alert" className="text-bad">
            {problem}
          </p>
        )}
        <DialogActions>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button look="danger" type="submit" disabledReason={disabledReason}>
            Bootstrap
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
