import { Link, type LinkMode } from "./link";
import { givePortBack, randomPort, takePort } from "./ports";

/** The ways from one client to every node, each with faults of its own. */
export interface ClientLinks {
  /** Port of each link, in node order. */
  readonly ports: readonly number[];
  /** @throws RangeError when there is no such link */
  setMode(index: number, mode: LinkMode): void;
  /** @throws RangeError when there is no such link */
  holdReplies(index: number, isHeld: boolean): void;
  /** @throws RangeError when there is no such link */
  delayRequests(index: number, ms: number): void;
  /** Moves answers to TIME by so many milliseconds; 0 leaves them as they are. @throws RangeError when there is no such link */
  moveTime(index: number, aheadMs: number): void;
  /** Breaks its connections and turns new ones away, until `accept`. @throws RangeError when there is no such link */
  refuse(index: number): void;
  /** @throws RangeError when there is no such link, Error when its port was taken meanwhile */
  accept(index: number): Promise<void>;
  /** Breaks every connection and stops listening. */
  close(): void;
}

/**
 * Opens one link per node.
 *
 * @param targets ports of the nodes on 127.0.0.1
 * @throws Error when no port is free
 */
export async function openLinks(targets: readonly number[]): Promise<ClientLinks> {
  const links: Link[] = [];
  const from = randomPort();
  const close = (): void => {
    for (const link of links) {
      link.close();
      givePortBack(link.port);
    }
  };
  const linkAt = (index: number): Link => {
    const link = links[index];
    if (link === undefined) throw new RangeError(`index must be below ${links.length}, got ${index}`);
    return link;
  };
  try {
    for (const target of targets) {
      const link = new Link(await takePort(from), target);
      links.push(link);
      await link.listen();
    }
  } catch (error) {
    close();
    throw error;
  }
  return {
    ports: links.map(({ port }) => port),
    setMode: (index, mode) => linkAt(index).setMode(mode),
    holdReplies: (index, isHeld) => linkAt(index).holdReplies(isHeld),
    delayRequests: (index, ms) => linkAt(index).delayRequests(ms),
    moveTime: (index, aheadMs) => linkAt(index).moveTime(aheadMs),
    refuse: (index) => linkAt(index).close(),
    accept: (index) => linkAt(index).listen(),
    close,
  };
}
