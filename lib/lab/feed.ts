import type { LabStreamEvents } from "@/lib/contract";
import type { Run } from "./run";

/** Many events within a moment are sent together, milliseconds. */
const GATHER_MS = 60;

/** One event for one who watches. */
export type LabStreamEvent = {
  [Name in keyof LabStreamEvents]: { readonly name: Name; readonly data: LabStreamEvents[Name] };
}[keyof LabStreamEvents];

/** What one viewer has been sent of the record, and what is still to be sent. */
export class Feed {
  readonly #send: (event: LabStreamEvent) => void;
  #run: Run | null = null;
  #sent = 0;
  #timer: NodeJS.Timeout | null = null;

  /** Sends the run so far. */
  constructor(run: Run | null, send: (event: LabStreamEvent) => void) {
    this.#send = send;
    this.#begin(run);
  }

  /** Goes over to another run. */
  show(run: Run): void {
    this.close();
    this.#begin(run);
  }

  /** Something was added. */
  wake(): void {
    this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS);
  }

  /** Sends something that is no part of a run. */
  pass(event: LabStreamEvent): void {
    this.#send(event);
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #begin(run: Run | null): void {
    this.#run = run;
    const view = run?.view() ?? null;
    this.#sent = view?.events.length ?? 0;
    this.#send({ name: "run", data: { run: view } });
  }

  #flush(): void {
    this.#timer = null;
    if (this.#run === null) return;
    const { events: _, ...status } = this.#run.view();
    const events = this.#run.since(this.#sent);
    this.#sent += events.length;
    this.#send({ name: "more", data: { status, events } });
  }
}
