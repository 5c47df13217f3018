import type { NodeId } from "@/lib/redlock";

/** Done to one embedded node, all of them real: signals to the process, or its connection to the console held or slowed. */
export type FaultKind = "stop" | "kill" | "pause" | "slow" | "partition";

export interface ProcessView {
  /** stopped, killed: by an operator, and it stays so. dead: it ended by itself. */
  readonly state: "running" | "stopped" | "killed" | "paused" | "dead" | "starting";
  readonly pid: number | null;
  readonly link: "open" | "slow" | "partitioned";
}

export interface EmbeddedNode {
  readonly id: NodeId;
  /** host:port of the redis-server itself, for redis-cli. */
  readonly address: string;
  /** `redis://` URL through the link that faults act on. */
  readonly url: string;
  process(): ProcessView;
}

/** Five (or `size`) real redis-server processes that belong to this console and end with it. */
export interface EmbeddedCluster {
  readonly nodes: readonly EmbeddedNode[];
  /** @throws RangeError when there is no such node */
  apply(node: NodeId, fault: FaultKind): Promise<void>;
  /** Undoes every fault: starts what does not run, resumes what is paused, opens the link. `empty` starts it without its data. */
  heal(node: NodeId, options?: { readonly data?: "keep" | "empty" }): Promise<void>;
  /** Calls back after each change of a process or link. @returns unsubscribes */
  onChange(listener: () => void): () => void;
  /** Ends every process and removes the data folder. */
  stop(): Promise<void>;
}
