"use client";

import { useState } from "react";
import { type Received, refreshLock } from "@/lib/client";
import type { LockDetail } from "@/lib/contract";
import { Dialog } from "../ui/dialog";
import { tokensOf } from "./pips";
import type { TakeAwayVerb } from "./take-away";
import { TakeAwaySteps } from "./take-away-steps";

const DESCRIPTIONS: Readonly<Record<TakeAwayVerb, string>> = {
  revoke:
    "Swaps the holder's token for an operator's and keeps the remaining time: the holder cannot extend, and nobody gets in before its time is over.",
  "force-expire": "Deletes the key on every node at once, whatever its holder is doing.",
};

type Props = {
  readonly lock: Received<LockDetail>;
  /** Null: closed. */
  readonly verb: TakeAwayVerb | null;
  readonly onVerb: (verb: TakeAwayVerb | null) => void;
};

/** Takes a lock away from its holder, the safer way or the quick way, after saying what will happen. */
export function TakeAwayDialog({ lock, verb, onVerb }: Props) {
  const [round, setRound] = useState(0);
  const { id, resource, nodes, holder } = lock.value;
  const lookAgain = async () => {
    await refreshLock(id);
    setRound(round + 1);
  };
  return (
    <Dialog
      title={
        <>
          {verb === "revoke" ? "Revoke" : "Force-expire"} <code className="break-all">{resource}</code>
        </>
      }
      description={verb === null ? "" : DESCRIPTIONS[verb]}
      isOpen={verb !== null}
      onOpenChange={(isOpen) => !isOpen && onVerb(null)}
    >
      {verb !== null && (
        // A new key is a new look at the lock: what was seen when the dialog opened is what it acts on, not what came since.
        <TakeAwaySteps
          key={`${verb} ${round}`}
          verb={verb}
          lock={lock}
          tokens={tokensOf(nodes, holder?.fingerprint ?? null)}
          onInstead={() => onVerb("revoke")}
          onLookAgain={() => void lookAgain()}
          onClose={() => onVerb(null)}
        />
      )}
    </Dialog>
  );
}
