/** Where in a record the drawing stands. */
export interface Playhead {
  /** following: at the end of what is known, as it grows. playing: on its way there. paused: where it is. */
  readonly mode: "following" | "playing" | "paused";
  readonly atMs: number;
  /** Milliseconds of the record in one of the wall. */
  readonly speed: number;
}

/** How far the drawing may go now. */
export interface Reach {
  /** End of what is known. */
  readonly edgeMs: number;
  readonly isOn: boolean;
  /** The drawing waits there for an answer; Infinity = nothing is asked. The run does not wait. */
  readonly gateMs: number;
}

/** The playhead a little later. @param elapsedMs of the wall */
export function advanced(head: Playhead, elapsedMs: number, { edgeMs, isOn, gateMs }: Reach): Playhead {
  // What a question is about has happened already by the time the page hears of it, so the drawing is late from here on.
  if (gateMs < edgeMs && head.mode === "following") return { ...head, mode: "playing", atMs: gateMs };
  if (head.mode === "paused") return head;
  const atMs = head.mode === "following" ? edgeMs : Math.min(head.atMs + elapsedMs * head.speed, edgeMs, gateMs);
  if (atMs < edgeMs) return { ...head, atMs };
  return { ...head, atMs, mode: isOn ? "following" : "paused" };
}

/** The moment that is shown: never beyond what is known, nor beyond an open question. */
export function shownMs({ atMs }: Playhead, { edgeMs, gateMs }: Reach): number {
  return Math.max(0, Math.min(atMs, edgeMs, gateMs));
}

/** The next of some moments, in order; `otherwise` after the last. */
export function nextStop(stops: readonly number[], atMs: number, otherwise: number): number {
  return stops.find((stop) => stop > atMs) ?? otherwise;
}

/** The one before; 0 before the first. */
export function previousStop(stops: readonly number[], atMs: number): number {
  return stops.findLast((stop) => stop < atMs) ?? 0;
}
