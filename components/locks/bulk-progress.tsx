"use client";

import { useId } from "react";
import { Button } from "../ui/button";
import { DialogActions } from "../ui/dialog";

type Props = {
  readonly label: string;
  readonly done: number;
  readonly total: number;
  readonly onStop?: () => void;
  readonly isStopping?: boolean;
};

/** How many of how many, with the way to stop where there is one. */
export function BulkProgress({ label, done, total, onStop, isStopping = false }: Props) {
  const id = useId();
  return (
    <>
      <div className="grid gap-1.5">
        <label htmlFor={id} className="font-semibold">
          <span role="status">{label}</span>
        </label>
        <progress
          id={id}
          max={total}
          value={done}
          className="h-2.5 w-full appearance-none overflow-hidden rounded-full bg-track [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-track [&::-webkit-progress-value]:bg-accent"
        />
        <p className="text-[13px] text-mute tabular-nums">
          {done.toLocaleString("en-US")} of {total.toLocaleString("en-US")}
        </p>
      </div>
      {onStop !== undefined && (
        <DialogActions>
          <Button onClick={onStop} disabledReason={isStopping ? "it is stopping already" : null}>
            Stop
          </Button>
        </DialogActions>
      )}
    </>
  );
}
