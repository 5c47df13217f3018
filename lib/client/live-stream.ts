import { STREAM_PING_MS } from "@/lib/contract";

/**
 * How the page is fed. live: by the event stream. reconnecting: the stream broke, the browser tries again. polling: the stream
 * does not come through, answers are fetched every two seconds. offline: those fail too. resting: the tab is in the background.
 */
export type ConnectionState = "connecting" | "live" | "reconnecting" | "polling" | "offline" | "resting";

/** Three missed pings: the connection is dead although nobody closed it. */
export const SILENCE_MS_MAX = 3 * STREAM_PING_MS;
const POLL_MS = 2000;
const FAILURES_BEFORE_POLLING = 3;
/** How often a stream that does not work is tried anew. */
const RETRY_MS = 3000;
const WATCH_MS = 1000;
/** So long a stream that was asked for a moment ago may take to answer before another takes its place. */
const PATIENCE_MS = 2000;

/** @typeParam Events payloads by event name */
export interface LiveStreamOptions<Events> {
  readonly url: string;
  readonly names: readonly (keyof Events & string)[];
  /** @param url of the stream that brought it */
  readonly onEvent: <Name extends keyof Events & string>(name: Name, payload: Events[Name], url: string) => void;
  readonly onState: (state: ConnectionState) => void;
  /** Fetches what the stream would have brought; rejects when the console cannot be reached. */
  readonly poll: () => Promise<void>;
  readonly createSource?: (url: string) => EventSource;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** An event stream, with polling while it does not come through. */
export class LiveStream<Events> {
  readonly #options: LiveStreamOptions<Events>;
  readonly #now: () => number;
  #state: ConnectionState = "resting";
  #url: string;
  #source: EventSource | undefined;
  /** Takes the place of the source with its first word: until then the page goes on hearing the old one. */
  #successor: EventSource | undefined;
  #succeedingSince = 0;
  #failures = 0;
  /** Since when there has been silence: the last event, or the last attempt to connect. */
  #silentSince = 0;
  #openedAt = 0;
  #watchdog: ReturnType<typeof setInterval> | undefined;
  #nextPoll: ReturnType<typeof setTimeout> | undefined;
  #isPolling = false;

  constructor(options: LiveStreamOptions<Events>) {
    this.#options = options;
    this.#url = options.url;
    this.#now = options.now ?? (() => performance.now());
  }

  start(): void {
    if (this.#state !== "resting") return;
    this.#enter("connecting");
    this.#failures = 0;
    this.#connect();
    this.#watchdog = setInterval(() => this.#watch(), WATCH_MS);
  }

  /**
   * Listens to another stream from now on, without a gap and without a change of state.
   *
   * @param isPatient what was asked for just before may answer first: whoever is scrolled past without a pause would else never be shown
   */
  retarget(url: string, { isPatient = false }: { readonly isPatient?: boolean } = {}): void {
    if (url === this.#url) return;
    this.#url = url;
    if (this.#state === "resting") return;
    const isUnderWay = this.#successor !== undefined && this.#now() - this.#succeedingSince < PATIENCE_MS;
    if (isPatient && isUnderWay) return;
    this.#openSuccessor();
    if (!this.#isPolling) return;
    clearTimeout(this.#nextPoll);
    void this.#pollOnce();
  }

  /** Closes everything; `start` begins anew. A tab in the background costs nothing. */
  rest(): void {
    clearInterval(this.#watchdog);
    this.#stopPolling();
    this.#source?.close();
    this.#source = undefined;
    this.#successor?.close();
    this.#successor = undefined;
    this.#enter("resting");
  }

  #openSuccessor(): void {
    this.#successor?.close();
    this.#succeedingSince = this.#now();
    this.#successor = this.#open();
  }

  #connect(): void {
    this.#source?.close();
    this.#successor?.close();
    this.#successor = undefined;
    this.#silentSince = this.#now();
    this.#openedAt = this.#silentSince;
    this.#source = this.#open();
  }

  #open(): EventSource {
    const url = this.#url;
    const create = this.#options.createSource ?? ((address: string) => new EventSource(address));
    const source = create(url);
    source.onerror = () => this.#fail(source, url);
    for (const name of this.#options.names) {
      source.addEventListener(name, (event) => this.#receive(source, name, event, url));
    }
    return source;
  }

  #receive<Name extends keyof Events & string>(
    source: EventSource,
    name: Name,
    event: MessageEvent<string>,
    url: string,
  ): void {
    if (source === this.#successor) this.#succeed(url);
    if (source !== this.#source) return;
    this.#failures = 0;
    this.#silentSince = this.#now();
    this.#stopPolling();
    this.#enter("live");
    this.#options.onEvent(name, JSON.parse(event.data) as Events[Name], url);
  }

  #fail(source: EventSource, url: string): void {
    // What it was to replace is no longer what the page shows, so from here on it stands for the connection.
    if (source === this.#successor) this.#succeed(url);
    if (source !== this.#source) return;
    this.#failures += 1;
    if (this.#failures >= FAILURES_BEFORE_POLLING) this.#startPolling();
    else if (!this.#isPolling) this.#enter("reconnecting");
  }

  /** @param url what the successor listens to: perhaps no longer what was asked for last */
  #succeed(url: string): void {
    this.#source?.close();
    this.#source = this.#successor;
    this.#successor = undefined;
    this.#openedAt = this.#now();
    if (url !== this.#url) this.#openSuccessor();
  }

  #watch(): void {
    const now = this.#now();
    if (now - this.#silentSince > SILENCE_MS_MAX) {
      this.#startPolling();
      this.#connect();
      return;
    }
    // The browser reconnects by itself unless the server answered with an error status.
    const isGivenUp = this.#source?.readyState === 2;
    if (isGivenUp && now - this.#openedAt > RETRY_MS) this.#connect();
  }

  #startPolling(): void {
    if (this.#isPolling) return;
    this.#isPolling = true;
    void this.#pollOnce();
  }

  #stopPolling(): void {
    this.#isPolling = false;
    clearTimeout(this.#nextPoll);
  }

  async #pollOnce(): Promise<void> {
    let isAnswered = true;
    try {
      await this.#options.poll();
    } catch {
      isAnswered = false; // shown as "offline"; the next poll tries again
    }
    if (!this.#isPolling) return;
    this.#enter(isAnswered ? "polling" : "offline");
    this.#nextPoll = setTimeout(() => void this.#pollOnce(), POLL_MS);
  }

  #enter(state: ConnectionState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#options.onState(state);
  }
}
