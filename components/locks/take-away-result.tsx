"use client";

import { CircleCheck, TriangleAlert } from "lucide-react";
import { Button } from "../ui/button";
import { DialogActions } from "../ui/dialog";
import { Consequences, OldHolder } from "./consequences";
import type { TakeAwayAnswer, TakeAwayVerb } from "./take-away";

const HEADLINES = {
  expired: "Force-expired on every node that had the key.",
  revoked: "Revoked: the holder can no longer extend.",
  partial: "Done only in part.",
  none: "Nothing was changed.",
} as const;

type Props = {
  readonly verb: TakeAwayVerb;
  readonly result: TakeAwayAnswer;
  readonly onClose: () => void;
};

/** What happened on every node, and what to do next. */
export function TakeAwayResult({ verb, result, onClose }: Props) {
  const { outcome, nodes } = result.answer;
  const isDone = outcome === "expired" || outcome === "revoked";
  const unreached = nodes.filter((node) => node.result === "unreachable").map(({ node }) => node);
  const changed = nodes.filter((node) => node.result === "changed").map(({ node }) => node);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div role="status" className={`rounded-lg px-3.5 py-3 ${isDone ? "bg-ok-soft" : "bg-risk-soft"}`}>
        <p className={`flex items-center gap-2 font-semibold ${isDone ? "text-ok" : "text-risk"}`}>
          {isDone ? <CircleCheck aria-hidden className="size-4" /> : <TriangleAlert aria-hidden className="size-4" />}
          {HEADLINES[outcome]}
        </p>
        {unreached.length > 0 && (
          <p className="mt-1">
            {unreached.join(", ")} could not be reached. A key there keeps others out until it dies by itself; look at
            the lock again when the node is back.
          </p>
        )}
        {changed.length > 0 && (
          <p className="mt-1">
            {changed.join(", ")} had another token by then: the lock changed hands there and was left alone.
          </p>
        )}
      </div>
      <Consequences given={result} />
      <OldHolder given={result} verb={verb} />
      <p className="text-mute">It is in the record, with your reason and every node's answer.</p>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </div>
  );
}
