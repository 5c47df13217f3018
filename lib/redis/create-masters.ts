import { Redis } from "ioredis";
import { Clocks } from "./clocks";
import type { Guard } from "./guard";
import { MasterNode } from "./master-node";
import { maskUrl, parseNodeUrl } from "./node-url";
import { ServerIds } from "./server-ids";

export interface MastersOptions {
  /** Time limit per node and request, milliseconds. */
  readonly nodeTimeoutMs?: number;
  /** Pause between two questions to a node how it is, milliseconds; 0 = only when `probe` is called. */
  readonly probeEveryMs?: number;
  /** As the engine's setting of this name. */
  readonly clockErrorMs?: number;
  /** Restart guard of the membership; none when left out. */
  readonly guard?: Guard;
  /** Whether requests of one turn of the event loop go to a node together; on unless false. */
  readonly coalesce?: boolean;
}

/**
 * Connects to the masters of one membership, in the order of the URLs. Returns at once; `status()` tells when each is up.
 *
 * @param urls see `parseNodeUrl`
 * @throws RangeError when a URL cannot be used, two nodes have one name, or there is none
 */
export function createMasters(urls: readonly string[], options: MastersOptions = {}): readonly MasterNode[] {
  if (urls.length === 0) throw new RangeError("No node is given; name at least one master.");
  const endpoints = urls.map((url) => parseNodeUrl(url));
  const seen = new Set<string>();
  for (const [index, { id }] of endpoints.entries()) {
    if (seen.has(id)) {
      throw new RangeError(
        `${maskUrl(urls[index] ?? "")}: two nodes are named "${id}"; name each with its own #label.`,
      );
    }
    seen.add(id);
  }
  const serverIds = new ServerIds();
  const clocks = new Clocks(options.clockErrorMs);
  return endpoints.map(
    ({ id, address, database, connect }) =>
      new MasterNode({
        ...options,
        id,
        address,
        database,
        serverIds,
        clocks,
        createClient: (safe) => new Redis({ ...connect, ...safe }),
      }),
  );
}
