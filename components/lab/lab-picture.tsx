import { useMemo } from "react";
import type { LabRun } from "@/lib/contract";
import { DrawingView } from "./drawing-view";
import { lanesOf } from "./lanes";
import { axisMsOf, timelineOf } from "./timeline";

/** The lanes of a run as it stands. The record below says the same in words. @param edgeMs end of what is known of it */
export function LabPicture({ run, edgeMs }: { readonly run: LabRun; readonly edgeMs: number }) {
  const axisMs = axisMsOf(edgeMs);
  const drawing = useMemo(() => timelineOf(lanesOf(run), axisMs), [run, axisMs]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
    <section className="overflow-x-auto" aria-label="Picture of the run" tabIndex={0}>
      <DrawingView drawing={drawing} />
    </section>
  );
}
