import type { LabStreamEvents, StreamEvents } from "@/lib/contract";

/** Of both streams. */
type Events = StreamEvents & LabStreamEvents;

/** An event stream in the hand of a test. */
export class FakeEventSource extends EventTarget {
  static readonly opened: FakeEventSource[] = [];
  readyState = 0;
  onerror: ((event: Event) => void) | null = null;

  constructor(readonly url: string) {
    super();
    FakeEventSource.opened.push(this);
  }

  /** The latest one opened. */
  static latest(): FakeEventSource {
    const source = FakeEventSource.opened.at(-1);
    if (source === undefined) throw new Error("no stream was opened");
    return source;
  }

  send<Name extends keyof Events>(name: Name, payload: Events[Name]): void {
    this.readyState = 1;
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(payload) }));
  }

  /** @param isFinal the server answered with an error status: the browser gives up */
  fail(isFinal = false): void {
    this.readyState = isFinal ? 2 : 0;
    this.onerror?.(new Event("error"));
  }

  close(): void {
    this.readyState = 2;
  }
}
