import { useEffect, useState } from "react";
import { mutate } from "swr";
import type { Lab, LabAudience, LabRun, LabStreamEvents } from "@/lib/contract";
import { keys } from "./keys";
import { labViewer } from "./lab-viewer";
import { LiveStream } from "./live-stream";
import { request } from "./request";
import { isRunOn } from "./use-lab";

const EVENT_NAMES = ["run", "more", "audience", "ping"] as const satisfies readonly (keyof LabStreamEvents)[];

/** What this page knows of the lab's run. */
export interface LabSeen {
  /** Null while there is none to show. */
  readonly run: LabRun | null;
  /** Monotonic milliseconds of this page when `run.tookMs` was true. */
  readonly heardAtMs: number;
  readonly audience: LabAudience;
  /** This page drives the run. */
  readonly isDriver: boolean;
}

const NOTHING: LabSeen = { run: null, heardAtMs: 0, audience: { viewers: 0, driver: null }, isDriver: false };

/** The run that is on or the last one, as its record grows. While it is mounted this page is in the lab's audience. */
export function useLabRun(): LabSeen {
  const [seen, setSeen] = useState(NOTHING);
  useEffect(() => {
    const viewer = labViewer();
    const stream = new LiveStream<LabStreamEvents>({
      url: keys.labEvents(viewer),
      names: EVENT_NAMES,
      onEvent(name, data) {
        const event = { name, data } as LabEvent;
        setSeen((before) => withLabEvent(before, event, viewer));
        // The list of runs that are kept is another one now, or says something else of its first.
        if (event.name === "run" || (event.name === "more" && !isRunOn(event.data.status))) void mutate(keys.lab);
      },
      onState: () => undefined, // the page's own stream says how the connection is
      async poll() {
        const { run, audience } = await request<Lab>(keys.lab);
        const whole = run === null ? null : await request<LabRun>(keys.labRun(run.id));
        setSeen({ run: whole, heardAtMs: performance.now(), audience, isDriver: audience.driver === viewer });
      },
    });
    stream.start();
    return () => stream.rest();
  }, []);
  return seen;
}

type LabEvent = {
  [Name in keyof LabStreamEvents]: { readonly name: Name; readonly data: LabStreamEvents[Name] };
}[keyof LabStreamEvents];

/** What is known after one event of the stream. */
function withLabEvent(seen: LabSeen, event: LabEvent, viewer: string): LabSeen {
  switch (event.name) {
    case "run":
      return { ...seen, run: event.data.run, heardAtMs: performance.now() };
    case "more": {
      const { status, events } = event.data;
      // Of a run that is not on this page: what begins it is on its way.
      if (seen.run?.id !== status.id) return seen;
      const all = [...seen.run.events, ...events].toSorted((a, b) => a.atMs - b.atMs);
      return { ...seen, run: { ...status, events: all }, heardAtMs: performance.now() };
    }
    case "audience":
      return { ...seen, audience: event.data, isDriver: event.data.driver === viewer };
    case "ping":
      return seen;
    default:
      return event satisfies never;
  }
}
