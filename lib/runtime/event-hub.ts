import type { AuditEntry, Cluster, StreamEventName, StreamEvents } from "@/lib/contract";
import type { IncidentWatch } from "@/lib/incidents";
import type { Inventory, PageFeed, PageView } from "@/lib/inventory";
import type { Clock } from "@/lib/redlock";

/** Figures such as round trips are sent so often while somebody listens, milliseconds. */
const FIGURES_MS = 2000;
/** A change of several nodes within this time is told once. */
const SETTLE_MS = 50;

/** One event of the stream. */
export type StreamEvent = {
  readonly [Name in StreamEventName]: { readonly name: Name; readonly data: StreamEvents[Name] };
}[StreamEventName];

export interface EventHubOptions {
  readonly clock: Clock;
  readonly inventory: Inventory;
  readonly cluster: () => Cluster;
  readonly incidents: IncidentWatch;
  /** Calls back after each change of a node, a process or the demonstration. @returns unsubscribes */
  readonly onClusterChange: (listener: () => void) => () => void;
}

/** Everything that happens, once for all tabs. Costs nothing while nobody listens. */
export class EventHub {
  readonly #options: EventHubOptions;
  readonly #listeners = new Set<(event: StreamEvent) => void>();
  #stopWatching: (() => void) | null = null;

  constructor(options: EventHubOptions) {
    this.#options = options;
  }

  /** @returns unsubscribes */
  subscribe(listener: (event: StreamEvent) => void): () => void {
    this.#listeners.add(listener);
    this.#stopWatching ??= this.#watch();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#stopWatching?.();
      this.#stopWatching = null;
    };
  }

  /** What a new listener begins with: every lock, or those its page shows. */
  async snapshot(page: PageFeed | null): Promise<StreamEvents["snapshot"]> {
    const locks = page === null ? await this.#options.inventory.snapshot() : page.first();
    return { cluster: this.#options.cluster(), ...locks };
  }

  /** The list as one page has it. */
  follow(view: PageView): PageFeed {
    return this.#options.inventory.follow(view);
  }

  noteAction(entry: AuditEntry): void {
    this.#emit({ name: "action", data: entry });
  }

  #watch(): () => void {
    const { clock, inventory, incidents, onClusterChange } = this.#options;
    let cancel = (): void => undefined;
    const tellIn = (delayMs: number): void => {
      cancel();
      cancel = clock.schedule(delayMs, () => {
        this.#emit({ name: "cluster", data: this.#options.cluster() });
        tellIn(FIGURES_MS);
      });
    };
    const unsubscribes = [
      inventory.subscribe((data) => this.#emit({ name: "locks", data })),
      incidents.onIncident((data) => this.#emit({ name: "incident", data })),
      onClusterChange(() => tellIn(SETTLE_MS)),
    ];
    tellIn(FIGURES_MS);
    return () => {
      cancel();
      for (const unsubscribe of unsubscribes) unsubscribe();
    };
  }

  #emit(event: StreamEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
