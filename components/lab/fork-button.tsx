import { GitFork } from "lucide-react";
import { isRunOn } from "@/lib/client";
import type { LabRun } from "@/lib/contract";
import { Button } from "../ui/button";
import { seconds } from "./lab-words";
import { useAct } from "./use-act";

type Props = { readonly run: LabRun; readonly atMs: number; readonly onFork: () => Promise<void> };

/** Another course of the same story. Processes cannot be put back to a moment, so a fork begins at the first step. */
export function ForkButton({ run, atMs, onFork }: Props) {
  const { isBusy, problem, act } = useAct();
  const reason = isRunOn(run) ? "the run is still on: let it end, or stop it" : isBusy ? "in progress" : null;
  return (
    <>
      <Button size="small" disabledReason={reason} onClick={() => act(onFork)}>
        <GitFork aria-hidden className="size-3.5" />
        Fork with another seed
      </Button>
      <span className="order-last basis-full text-[13px] text-mute">
        A fork restarts the script from its first step, with new processes; it does not go on from {seconds(atMs)}.
      </span>
      {problem !== null && (
        <p role="alert" className="basis-full text-bad">
          {problem}
        </p>
      )}
    </>
  );
}
