"use client";

import { useState } from "react";
import { useCluster } from "@/lib/client";
import { Button } from "../ui/button";
import { DialogActions } from "../ui/dialog";
import { ReasonField, reasonProblem } from "../ui/reason-field";
import { TypedConfirmation } from "../ui/typed-confirmation";
import type { TakeAwayVerb } from "./take-away";
import { useBlockedReason } from "./use-blocked-reason";

type Props = {
  readonly verb: TakeAwayVerb;
  readonly resource: string;
  readonly isActing: boolean;
  readonly onAct: (reason: string) => void;
  readonly onClose: () => void;
};

/** The reason, in production also the name, and the button. */
export function TakeAwayDecision({ verb, resource, isActing, onAct, onClose }: Props) {
  const [reason, setReason] = useState("");
  const [typed, setTyped] = useState("");
  const cluster = useCluster();
  const isProduction = cluster.kind === "ready" && cluster.cluster.value.environment === "production";
  const blocked = useBlockedReason();
  const missing = reasonProblem(reason);
  const untyped = isProduction && typed !== resource ? "type the resource's name first" : null;
  const disabledReason = blocked ?? (isActing ? "the nodes are being asked" : (missing ?? untyped));
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
        hint="Goes into the record, with your name and what every node answers."
      />
      {isProduction && <TypedConfirmation expected={resource} value={typed} onChange={setTyped} />}
      <DialogActions>
        <Button onClick={onClose}>Leave it alone</Button>
        <Button look={verb === "revoke" ? "primary" : "danger"} type="submit" disabledReason={disabledReason}>
          {verb === "revoke" ? "Revoke" : "Force-expire"}
        </Button>
      </DialogActions>
    </form>
  );
}
