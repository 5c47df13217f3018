import { useEffect, useState } from "react";
import { isRunOn, type LabSeen } from "@/lib/client";
import type { LabRun } from "@/lib/contract";
import { useReducedMotion } from "../ui/use-reduced-motion";
import { advanced, type Playhead, type Reach, shownMs } from "./playhead";

/** Ten pictures a second: enough to follow, and cheap enough for a small machine. */
const TICK_MS = 100;

export interface Playback {
  readonly head: Playhead;
  /** The moment that is drawn. */
  readonly atMs: number;
  /** End of what is known. */
  readonly edgeMs: number;
  /** It waits for an answer. */
  readonly isAtGate: boolean;
  readonly setHead: (head: Playhead) => void;
}

/**
 * Moves through the record of one run. To be mounted anew for another run.
 *
 * @param gateMs see `Reach`
 */
export function usePlayhead(run: LabRun, heardAtMs: LabSeen["heardAtMs"], gateMs: number): Playback {
  const isOn = isRunOn(run);
  const [head, setHead] = useState<Playhead>({ mode: isOn ? "following" : "paused", atMs: run.tookMs, speed: 1 });
  const [edgeMs, setEdgeMs] = useState(run.tookMs);
  const isStepwise = useReducedMotion();
  const isMoving = head.mode !== "paused" || isOn;
  useEffect(() => {
    let last = performance.now();
    const tick = () => {
      const now = performance.now();
      const elapsedMs = now - last;
      last = now;
      const reach = { isOn, gateMs, edgeMs: isOn ? run.tookMs + now - heardAtMs : run.tookMs };
      setEdgeMs(reach.edgeMs);
      setHead((before) => advanced(before, elapsedMs, reach));
    };
    tick();
    if (!isMoving) return;
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, [run.tookMs, heardAtMs, isOn, isMoving, gateMs]);
  const reach: Reach = { isOn, gateMs, edgeMs: isOn ? Math.max(edgeMs, run.tookMs) : run.tookMs };
  const atMs = shownMs(head, reach);
  const isStepping = isStepwise && head.mode !== "paused" && (isOn || atMs < reach.edgeMs);
  return { head, atMs: isStepping ? stepOf(run, atMs) : atMs, edgeMs: reach.edgeMs, isAtGate: atMs >= gateMs, setHead };
}

/** The last moment at which anything changed, in a look that does not move on its own. */
function stepOf({ events }: LabRun, atMs: number): number {
  return events.findLast((event) => event.atMs <= atMs)?.atMs ?? 0;
}
