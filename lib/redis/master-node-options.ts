import type { NodeId } from "@/lib/redlock";
import type { Clocks } from "./clocks";
import type { ClientFactory } from "./connection";
import type { Guard } from "./guard";
import type { ServerIds } from "./server-ids";

/** Time limit per node and request when none is given, milliseconds. */
export const NODE_TIMEOUT_MS = 50;

/** How often a node is asked how it is when nothing else is said, milliseconds. */
export const PROBE_EVERY_MS = 1000;

export interface MasterNodeOptions {
  readonly id: NodeId;
  readonly address: string;
  readonly database: number;
  readonly createClient: ClientFactory;
  readonly nodeTimeoutMs?: number;
  /** 0 = only when `probe` is called. */
  readonly probeEveryMs?: number;
  /** Shared by the masters of one membership, to find those that are one server. */
  readonly serverIds?: ServerIds;
  /** Shared likewise, to find clocks that disagree. */
  readonly clocks?: Clocks;
  /** Shared likewise; off when not given. */
  readonly guard?: Guard;
  /** Whether requests of one turn of the event loop go together, see `Batcher`. Default true. */
  readonly coalesce?: boolean;
}
