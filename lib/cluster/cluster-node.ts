import { join } from "node:path";
import { type NodeId, nodeId } from "@/lib/redlock";
import type { EmbeddedNode, FaultKind, ProcessView } from "./embedded";
import { Link } from "./link";
import { givePortBack, takePort } from "./ports";
import { PortTakenError, type ProcessKeeper, ServerProcess } from "./server-process";

/** Where the search for free ports starts: easy to remember and to type. */
const SERVER_PORT_FROM = 7001;
const LINK_PORT_FROM = 17_001;
const START_ATTEMPTS = 10;

export interface ClusterNodeOptions {
  readonly name: string;
  readonly program: string;
  /** Of the run; the node makes its own below it. */
  readonly folder: string;
  readonly keeper: ProcessKeeper;
  readonly serverArgs: readonly string[];
  /** Over the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** Where the search for free ports starts; null = where they are easy to remember. */
  readonly portsFrom: number | null;
  onChange(): void;
}

/** One embedded node: a server process, the link to it, and the faults done to both, one after the other. */
export class ClusterNode implements EmbeddedNode {
  readonly id: NodeId;
  readonly #server: ServerProcess;
  readonly #link: Link;
  /** The end of what was asked so far: faults on one node never overlap. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(id: NodeId, server: ServerProcess, link: Link) {
    this.id = id;
    this.#server = server;
    this.#link = link;
  }

  /**
   * Starts a node on a free port.
   *
   * @throws Error with the last words of the server
   */
  static async start(options: ClusterNodeOptions): Promise<ClusterNode> {
    const server = await startServer(options);
    const link = new Link(await takePort(options.portsFrom ?? LINK_PORT_FROM), server.port);
    try {
      await link.listen();
    } catch (error) {
      await server.end("SIGKILL", "dead");
      throw error;
    }
    return new ClusterNode(nodeId(options.name), server, link);
  }

  get address(): string {
    return `127.0.0.1:${this.#server.port}`;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.#link.port}#${encodeURIComponent(this.id)}`;
  }

  process(): ProcessView {
    return { state: this.#server.state, pid: this.#server.pid, link: this.#link.mode };
  }

  /** Pausing a node that does not run does nothing. */
  apply(fault: FaultKind): Promise<void> {
    return this.#inTurn(async () => {
      switch (fault) {
        case "stop":
          return this.#server.end("SIGTERM", "stopped");
        case "kill":
          return this.#server.end("SIGKILL", "killed");
        case "pause":
          return this.#server.pause();
        case "slow":
          return this.#link.setMode("slow");
        case "partition":
          return this.#link.setMode("partitioned");
        default:
          return fault satisfies never;
      }
    });
  }

  heal(data: "keep" | "empty"): Promise<void> {
    return this.#inTurn(async () => {
      this.#server.resume();
      await this.#server.start(data);
      this.#link.setMode("open");
      await this.reviewLink();
    });
  }

  stop(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#server.end("SIGTERM", "stopped");
      this.#link.close();
      givePortBack(this.#server.port);
      givePortBack(this.#link.port);
    });
  }

  /** Without a process there is nobody to connect to; unless the network hides that too. To be called after every change. */
  async reviewLink(): Promise<void> {
    const { state } = this.#server;
    const isThere = state === "running" || state === "paused" || this.#link.mode === "partitioned";
    if (isThere) await this.#link.listen();
    else this.#link.refuse();
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    // The caller hears of a failure; the next in turn is not to fail for it.
    this.#last = done.catch(() => {});
    return done;
  }
}

/** Between choosing a port and using it another process may take it: then the next one. */
async function startServer(options: ClusterNodeOptions): Promise<ServerProcess> {
  const { name, program, folder, keeper, serverArgs: args, env, onChange } = options;
  for (let attempt = 1; ; attempt += 1) {
    const port = await takePort(options.portsFrom ?? SERVER_PORT_FROM);
    const server = new ServerProcess({ program, port, folder: join(folder, name), keeper, args, env, onChange });
    try {
      await server.start("empty");
      return server;
    } catch (error) {
      if (!(error instanceof PortTakenError) || attempt === START_ATTEMPTS) {
        givePortBack(port);
        throw error;
      }
    }
  }
}
