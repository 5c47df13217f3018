import type { ApiError } from "@/lib/client";
import { Button } from "../ui/button";
import { DialogActions } from "../ui/dialog";

type Props = {
  readonly error: ApiError;
  readonly onLookAgain: () => void;
  readonly onClose: () => void;
};

/** Why a lock was not taken away. That it changed hands is the server's guard at work, not a fault. */
export function TakeAwayTrouble({ error, onLookAgain, onClose }: Props) {
  const hasChanged = error.code === "lock_changed";
  return (
    <div>
      <div role="alert" className={`rounded-lg px-3.5 py-3 ${hasChanged ? "bg-risk-soft" : "bg-bad-soft"}`}>
        <p className={`font-semibold ${hasChanged ? "text-risk" : "text-bad"}`}>
          {hasChanged ? "The lock changed hands since you looked." : error.message}
        </p>
        <p className="mt-1">
          {hasChanged ? "Nothing was touched: no node holds the token you saw. " : ""}
          {error.nextStep}
        </p>
        {error.requestId !== null && <p className="mt-1 text-[13px] text-mute">Request {error.requestId}</p>}
      </div>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        {error.code !== "layout_refused" && error.code !== "read_only" && (
          <Button look="primary" onClick={onLookAgain}>
            {hasChanged ? "Look at it as it is now" : "Try again"}
          </Button>
        )}
      </DialogActions>
    </div>
  );
}
