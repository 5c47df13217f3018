import { useMemo } from "react";
import type { LabRun } from "@/lib/contract";
import { DrawingView } from "./drawing-view";
import { lanesOf } from "./lanes";
import { axisMsOf, timelineOf } from "./timeline";

type Props = {
  /** As it is shown. */
  readonly run: LabRun;
  /** End of what is known of it. */
  readonly edgeMs: number;
  /** It still grows. */
  readonly isOn: boolean;
};

/** The lanes of a run. The record below says the same in words. */
export function LabPicture({ run, edgeMs, isOn }: Props) {
  const axisMs = axisMsOf(edgeMs, isOn);
  const drawing = useMemo(() => timelineOf(lanesOf(run), axisMs), [run, axisMs]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
    <section className="overflow-x-auto" aria-label="Picture of the run" tabIndex={0}>
      <DrawingView drawing={drawing} />
    </section>
  );
}
