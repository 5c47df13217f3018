import type { LabRun } from "@/lib/contract";
import { tokenHues } from "../locks/token-hue";
import { ClientRow, NodeRow, OverlapMark, type Place, ROW } from "./lab-lane";
import { lanesOf } from "./lanes";

const WIDTH = 1000;
const LABEL = 92;
const TOP = 26;
/** Ticks of the axis, milliseconds; the first that gives few enough is taken. */
const STEPS_MS = [200, 500, 1000, 2000, 5000, 10_000] as const;
const TICKS_MAX = 12;

/** One lane per client with what it believes, one per node with its state and what it has. The log below says the same in words. */
export function LabPicture({ run }: { readonly run: LabRun }) {
  const lanes = lanesOf(run);
  const { spanMs, clients, nodes, overlaps } = lanes;
  const place: Place = {
    x: (ms) => LABEL + ((WIDTH - LABEL - 8) * Math.min(ms, spanMs)) / spanMs,
    hues: tokenHues(lanes.holders),
    resources: lanes.resources,
  };
  const height = TOP + ROW * (clients.length + nodes.length) + 6;
  const summary = `${clients.length} clients and ${nodes.length} nodes over ${(spanMs / 1000).toFixed(1)} seconds; ${overlaps.length === 0 ? "never two holders" : `two holders ${overlaps.length} times`}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
    <section className="overflow-x-auto" aria-label="Picture of the run" tabIndex={0}>
      <svg viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={summary} className="block w-full min-w-[680px]">
        <defs>
          <pattern id="lab-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="2.5" height="6" fill="var(--bad)" />
          </pattern>
        </defs>
        <Axis spanMs={spanMs} x={place.x} height={height} />
        {clients.map((lane, index) => (
          <ClientRow key={lane.name} lane={lane} y={TOP + ROW * index} place={place} />
        ))}
        {overlaps.map((overlap) => (
          <OverlapMark
            key={`${overlap.fromMs} ${overlap.clients.join(" ")}`}
            overlap={overlap}
            tops={overlap.clients.map((name) => TOP + ROW * clients.findIndex((lane) => lane.name === name))}
            x={place.x}
          />
        ))}
        {nodes.map((lane, index) => (
          <NodeRow key={lane.name} lane={lane} y={TOP + ROW * (clients.length + index)} place={place} />
        ))}
      </svg>
    </section>
  );
}

function Axis({ spanMs, x, height }: { spanMs: number; x: Place["x"]; height: number }) {
  const stepMs = STEPS_MS.find((step) => spanMs / step <= TICKS_MAX) ?? STEPS_MS[STEPS_MS.length - 1] ?? spanMs;
  const ticks = Array.from({ length: Math.floor(spanMs / stepMs) + 1 }, (_, index) => index * stepMs);
  return ticks.map((ms) => (
    <g key={ms}>
      <line x1={x(ms)} x2={x(ms)} y1={18} y2={height} stroke="var(--line)" />
      <text x={x(ms)} y={12} textAnchor="middle" fontSize="12" fill="var(--mute)">
        {ms / 1000} s
      </text>
    </g>
  ));
}
