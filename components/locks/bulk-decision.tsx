"use client";

import { useState } from "react";
import { useCluster } from "@/lib/client";
import { Button } from "../ui/button";
import { DialogActions } from "../ui/dialog";
import { ReasonField, reasonProblem } from "../ui/reason-field";
import { TypedConfirmation } from "../ui/typed-confirmation";
import { confirmationFor } from "./bulk-words";
import { useBlockedReason } from "./use-blocked-reason";

type Props = {
  /** How many can be expired. */
  readonly count: number;
  readonly onAct: (reason: string) => void;
  readonly onLookAgain: () => void;
  readonly onClose: () => void;
};

/** The reason, the number or the name to type, and the button. */
export function BulkDecision({ count, onAct, onLookAgain, onClose }: Props) {
  const [reason, setReason] = useState("");
  const [typed, setTyped] = useState("");
  const cluster = useCluster();
  const blocked = useBlockedReason();
  const expected = confirmationFor(count, cluster.kind === "ready" ? cluster.cluster.value.environment : null);
  const missing = reasonProblem(reason);
  const untyped = expected !== null && typed.trim() !== expected ? `type ${expected} first` : null;
  const disabledReason = blocked ?? missing ?? untyped;
  if (count === 0) {
    return (
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Button look="primary" onClick={onLookAgain}>
          Ask the nodes again
        </Button>
      </DialogActions>
    );
  }
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (disabledReason === null) onAct(reason.trim());
      }}
    >
      <ReasonField
        value={reason}
        onChange={setReason}
        hint="Goes into the record with every lock, your name and what every node answers."
      />
      {expected !== null && <TypedConfirmation expected={expected} value={typed} onChange={setTyped} />}
      <DialogActions>
        <Button onClick={onClose}>Leave them alone</Button>
        <Button look="danger" type="submit" disabledReason={disabledReason}>
          Force-expire {count.toLocaleString("en-US")}
        </Button>
      </DialogActions>
    </form>
  );
}
