import { Play, Square, UserCheck } from "lucide-react";
import { isRunOn, type LabSeen, startLabRun, stopLabRun, takeOverLabRun } from "@/lib/client";
import { Button } from "../ui/button";
import { useAct } from "./use-act";
import { isChoiceOf, type LabChoice } from "./use-choice";

type Props = {
  /** What would be played. */
  readonly choice: LabChoice;
  readonly seen: LabSeen;
  /** Why nothing can be started or stopped. */
  readonly blocked: string | null;
  readonly onAct: () => void;
};

/** Starts what is chosen, or stops what is on. One page drives a run; another one has to take over first. */
export function RunButtons({ choice, seen, blocked, onAct }: Props) {
  const { isBusy, problem, act } = useAct();
  const { run, audience, isDriver } = seen;
  const reason = blocked ?? (isBusy ? "in progress" : null);
  const isSame = run !== null && isChoiceOf(choice, run);
  const isOthers = audience.driver !== null && !isDriver;
  return (
    <>
      {run !== null && isRunOn(run) ? (
        <>
          {isOthers && (
            <Button disabledReason={reason} onClick={() => act(() => takeOverLabRun(run.id))}>
              <UserCheck aria-hidden className="size-4" />
              Take over
            </Button>
          )}
          <Button
            look="danger"
            disabledReason={isOthers ? "another page drives this run: take over first" : reason}
            onClick={() => act(() => stopLabRun(run.id))}
          >
            <Square aria-hidden className="size-4" />
            Stop and end everything
          </Button>
          <span className="pb-2 text-[13px] text-mute">{audienceWords(seen)}</span>
        </>
      ) : (
        <Button
          look="primary"
          disabledReason={reason}
          onClick={() => {
            onAct();
            act(() => startLabRun(choice));
          }}
        >
          <Play aria-hidden className="size-4" />
          {isSame ? `Run again with seed ${choice.seed}` : "Run"}
        </Button>
      )}
      {problem !== null && (
        <p role="alert" className="basis-full text-bad">
          {problem}
        </p>
      )}
    </>
  );
}

function audienceWords({ audience, isDriver }: LabSeen): string {
  const { viewers, driver } = audience;
  const watching = viewers <= 1 ? "" : ` ${viewers} pages watch.`;
  if (isDriver) return `This page drives.${watching}`;
  return `${driver === null ? "Nobody drives this run." : "Another page drives."}${watching}`;
}
