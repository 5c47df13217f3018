import type { NodeId } from "@/lib/redlock";
import type { ClientListeners, ClientProcess } from "./client-process";
import type { ServerShim } from "./server-shim";

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
  /** Starts a bundled client, see `startClientProcess`; it does not outlive the console either. */
  startClient(program: string, task: object, listeners: ClientListeners): ClientProcess;
  /**
   * Faults within the server of a node, of its clock and disk.
   *
   * @throws RangeError when there is no such node; Error with the reason when there is no shim, see `shimProblem`
   */
  shimOf(node: NodeId): ServerShim;
  /** Why the servers run without the shim; null = they have it. */
  readonly shimProblem: string | null;
  /** Calls back after each change of a process or link. @returns unsubscribes */
  onChange(listener: () => void): () => void;
  /** Ends every process and removes the data folder. */
  stop(): Promise<void>;
}
