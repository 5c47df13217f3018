import { Pause, Play, SkipBack, SkipForward, StepBack, StepForward } from "lucide-react";
import type { LabRun } from "@/lib/contract";
import { Button } from "../ui/button";
import { seconds } from "./lab-words";
import { nextStop, previousStop } from "./playhead";
import { stopsOf } from "./run-at";
import type { Playback } from "./use-playhead";

const SPEEDS = [0.25, 0.5, 1, 2, 4] as const;

type Props = { readonly run: LabRun; readonly playback: Playback };

/** Plays, steps and scrubs through the record. The run itself never waits. */
export function PlaybackBar({ run, playback }: Props) {
  const { head, atMs, edgeMs, setHead } = playback;
  const step = useStep(run, playback);
  const isEnd = atMs >= edgeMs;
  const play = () => setHead({ ...head, mode: "playing", atMs: isEnd && head.mode === "paused" ? 0 : atMs });
  const pause = () => setHead({ ...head, mode: "paused", atMs });
  return (
    <section aria-label="Replay" className="flex flex-wrap items-center gap-2">
      <Button size="small" aria-label="To the beginning" onClick={() => setHead({ ...head, mode: "paused", atMs: 0 })}>
        <SkipBack aria-hidden className="size-4" />
      </Button>
      <Button size="small" aria-label="Step back" onClick={() => step(-1)}>
        <StepBack aria-hidden className="size-4" />
      </Button>
      {head.mode === "paused" ? (
        <Button size="small" onClick={play}>
          <Play aria-hidden className="size-4" />
          {isEnd ? "Replay" : "Play"}
        </Button>
      ) : (
        <Button size="small" onClick={pause}>
          <Pause aria-hidden className="size-4" />
          Pause
        </Button>
      )}
      <Button size="small" aria-label="Step forward" onClick={() => step(1)}>
        <StepForward aria-hidden className="size-4" />
      </Button>
      <Button
        size="small"
        aria-label="To the end"
        onClick={() => setHead({ ...head, mode: "following", atMs: edgeMs })}
      >
        <SkipForward aria-hidden className="size-4" />
      </Button>
      <input
        type="range"
        aria-label="Moment of the record"
        aria-valuetext={seconds(atMs)}
        min={0}
        max={Math.ceil(edgeMs)}
        step="any"
        value={atMs}
        onChange={(event) => setHead({ ...head, mode: "paused", atMs: Number(event.target.value) })}
        className="min-w-32 flex-1 accent-accent"
      />
      <code className="min-w-32 whitespace-nowrap text-right">
        {seconds(atMs)} / {seconds(edgeMs)}
      </code>
      <select
        aria-label="Speed"
        value={head.speed}
        onChange={(event) => setHead({ ...head, speed: Number(event.target.value) })}
        className="min-h-7 rounded-lg border border-edge bg-panel px-1.5 text-[13px]"
      >
        {SPEEDS.map((speed) => (
          <option key={speed} value={speed}>
            {speed} ×
          </option>
        ))}
      </select>
    </section>
  );
}

/** Goes to the next or the previous event that tells something, and stays there. */
export function useStep(run: LabRun, { head, atMs, edgeMs, setHead }: Playback): (direction: 1 | -1) => void {
  return (direction) => {
    const stops = stopsOf(run);
    const to = direction === 1 ? nextStop(stops, atMs, edgeMs) : previousStop(stops, atMs);
    setHead({ ...head, mode: "paused", atMs: to });
  };
}
