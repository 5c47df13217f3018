import { tokenHues } from "../locks/token-hue";
import type { Drawing, Shape } from "./drawing";
import type { ClientLane, Lanes, NodeLane, Stretch } from "./lanes";

const WIDTH = 1000;
const LABEL = 92;
/** Room for half of the last tick's words. */
const RIGHT = 22;
const TOP = 26;
/** Height of a lane, and of the bars in it. */
const ROW = 40;
const BARS = 24;
const FONT = 12;
/** Room that a letter takes. */
const LETTER = 8;
/** Ticks of the axis, milliseconds; the first that gives few enough is taken. */
const STEPS_MS = [200, 500, 1000, 2000, 5000, 10_000] as const;
const TICKS_MAX = 12;

interface Place {
  readonly x: (ms: number) => number;
  readonly hue: (holder: string) => number;
  readonly resources: readonly string[];
}

/**
 * One lane per client with what it believes, one per node with its state and what it has.
 *
 * @param axisMs how much time the width stands for; the lanes may end before it
 */
export function timelineOf(lanes: Lanes, axisMs: number): Drawing {
  const { spanMs, clients, nodes, overlaps } = lanes;
  const hues = tokenHues(lanes.holders);
  const place: Place = {
    x: (ms) => LABEL + ((WIDTH - LABEL - RIGHT) * Math.min(ms, axisMs)) / axisMs,
    hue: (holder) => hues.get(holder) ?? 0,
    resources: lanes.resources,
  };
  const height = TOP + ROW * (clients.length + nodes.length) + 6;
  const topOf = (name: string) => TOP + ROW * clients.findIndex((lane) => lane.name === name);
  const verdict = overlaps.length === 0 ? "never two holders" : `two holders ${overlaps.length} times`;
  return {
    width: WIDTH,
    height,
    summary: `${clients.length} clients and ${nodes.length} nodes over ${(spanMs / 1000).toFixed(1)} seconds; ${verdict}`,
    shapes: [
      ...axis(axisMs, place, height),
      ...clients.flatMap((lane, index) => clientRow(lane, TOP + ROW * index, place)),
      ...overlaps.flatMap((overlap) => overlapMark(overlap, overlap.clients.map(topOf), place)),
      ...nodes.flatMap((lane, index) => nodeRow(lane, TOP + ROW * (clients.length + index), place)),
      now(place.x(spanMs), height),
    ],
  };
}

/** How much time the axis shows: in long steps while it grows, so that the picture does not shrink all the time. */
export function axisMsOf(edgeMs: number, isOn: boolean): number {
  const stepMs = isOn ? (edgeMs <= 10_000 ? 5000 : 10_000) : 500;
  return Math.max(stepMs, Math.ceil(edgeMs / stepMs) * stepMs);
}

function axis(axisMs: number, { x }: Place, height: number): readonly Shape[] {
  const stepMs = STEPS_MS.find((step) => axisMs / step <= TICKS_MAX) ?? STEPS_MS[STEPS_MS.length - 1] ?? axisMs;
  const ticks = Array.from({ length: Math.floor(axisMs / stepMs) + 1 }, (_, index) => index * stepMs);
  return ticks.flatMap((ms): readonly Shape[] => [
    { kind: "line", x1: x(ms), x2: x(ms), y1: 18, y2: height, stroke: "line", width: 1 },
    { kind: "text", x: x(ms), y: 12, text: `${ms / 1000} s`, size: FONT, fill: "mute", isCentred: true },
  ]);
}

function now(x: number, height: number): Shape {
  return { kind: "line", x1: x, x2: x, y1: 18, y2: height, stroke: "ink", width: 1.5 };
}

function label(text: string, y: number): Shape {
  return { kind: "text", x: 0, y: y + ROW / 2 + 4, text, size: 13, fill: "ink", isBold: true };
}

/** What one client believes, and when it was refused. */
function clientRow(lane: ClientLane, y: number, place: Place): readonly Shape[] {
  const bars = lane.beliefs.flatMap((belief) => bar({ stretch: belief, y, text: belief.resource, place }));
  const crosses = lane.refusals.map(({ atMs, resource }): Shape => {
    const { top, height } = rowOf(resource, y, place);
    const [middle, size] = [top + height / 2, Math.min(FONT, height + 2)];
    return { kind: "text", x: place.x(atMs), y: middle + 4, text: "✕", size, fill: "bad", isCentred: true };
  });
  return [label(`client ${lane.name}`, y), ...bars, ...crosses];
}

/** How one node stood, and whose keys it had. */
function nodeRow(lane: NodeLane, y: number, place: Place): readonly Shape[] {
  const low = y + ROW - 5;
  const states = lane.states.flatMap(({ state, fromMs, untilMs }): readonly Shape[] => {
    const [x1, x2] = [place.x(fromMs), place.x(untilMs)];
    const stroke = state === "up" ? "ok" : "risk";
    const dash = state === "up" ? undefined : "4 5";
    const line: Shape = { kind: "line", x1, x2, y1: low, y2: low, stroke, width: 3, dash };
    const middle = (x1 + x2) / 2;
    const word: Shape = { kind: "text", x: middle, y: low + 4, text: state, size: 12, fill: "mute", isCentred: true };
    return [...(state === "down" ? [] : [line]), ...(state !== "up" && x2 - x1 > 40 ? [word] : [])];
  });
  const bars = lane.keys.flatMap((key) => bar({ stretch: key, y, text: key.holder, place }));
  return [label(`node ${lane.name}`, y), ...states, ...bars];
}

/** Each lock has a row of its own within a lane, the same in every lane. */
function rowOf(resource: string, y: number, { resources }: Place): { readonly top: number; readonly height: number } {
  const height = BARS / Math.max(1, resources.length);
  return { top: y + 5 + height * Math.max(0, resources.indexOf(resource)), height };
}

function bar(options: {
  readonly stretch: Stretch & { readonly resource: string; readonly holder: string };
  readonly y: number;
  readonly text: string;
  readonly place: Place;
}): readonly Shape[] {
  const { stretch, y, text, place } = options;
  const x = place.x(stretch.fromMs);
  const width = Math.max(2, place.x(stretch.untilMs) - x);
  const { top, height } = rowOf(stretch.resource, y, place);
  const hue = place.hue(stretch.holder);
  const box: Shape = { kind: "rect", x, y: top, width, height: height - 1, fill: hue, stroke: hue, opacity: 0.35 };
  if (width <= LETTER * text.length) return [box];
  const size = Math.min(FONT, height - 1);
  return [box, { kind: "text", x: x + 6, y: top + height / 2 + 3.5, text, size, fill: "ink" }];
}

/** Two clients believe to hold one lock. @param tops of their lanes */
function overlapMark(overlap: Stretch, tops: readonly number[], { x }: Place): readonly Shape[] {
  const from = x(overlap.fromMs);
  const width = Math.max(3, x(overlap.untilMs) - from);
  const boxes = tops.map(
    (top): Shape => ({ kind: "rect", x: from, y: top + ROW - 10, width, height: 8, fill: "hatch", stroke: "bad" }),
  );
  const y = Math.min(...tops) + 3;
  return [...boxes, { kind: "text", x: from + 4, y, text: "two holders", size: 12, fill: "bad", isBold: true }];
}
