import { useEffect } from "react";
import type { LabRun } from "@/lib/contract";
import { useStep } from "./playback-bar";
import type { Playback } from "./use-playhead";

/** Elements that have a use of their own for arrows and space. */
const OWN_KEYS = "input, select, textarea, button, a, summary, [role=dialog]";

/** While presenting the arrow keys step and space plays or pauses, as in any slide show. */
export function usePresenterKeys(isPresenting: boolean, run: LabRun, playback: Playback): void {
  const step = useStep(run, playback);
  const { head, atMs, setHead } = playback;
  useEffect(() => {
    if (!isPresenting) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const hasOwnUse = event.target instanceof Element && event.target.matches(OWN_KEYS);
      const isButton = event.target instanceof Element && event.target.matches("button, a, summary");
      if (event.key === "ArrowRight" && (!hasOwnUse || isButton)) step(1);
      else if (event.key === "ArrowLeft" && (!hasOwnUse || isButton)) step(-1);
      else if (event.key === " " && !hasOwnUse) {
        setHead({ ...head, mode: head.mode === "paused" ? "playing" : "paused", atMs });
      } else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });
}
