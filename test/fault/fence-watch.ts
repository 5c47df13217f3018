import type { MasterNode } from "@/lib/redis";
import type { FenceReading, NodeId } from "@/lib/redlock";

/**
 * Tells when nodes are given fence counters that nobody can vouch for: so many had lost theirs together that what was won before
 * is not known to any of those asked.
 *
 * @param onGuess called before the first of such counters is sent
 */
export function watchFences(masters: readonly MasterNode[], onGuess: () => void): void {
  const readings = new Map<NodeId, FenceReading>();
  const isAnyKnown = (): boolean =>
    [...readings.values()].some((reading) => reading.kind === "high_water" && reading.fence !== null);
  for (const master of masters) {
    const read = master.readFence.bind(master);
    master.readFence = async () => {
      readings.delete(master.id);
      const reading = await read();
      readings.set(master.id, reading);
      return reading;
    };
    const restore = master.restoreFence.bind(master);
    master.restoreFence = (request) => {
      // After a loss of all counters the engine sees no difference to a first use, of which there is only one at the beginning.
      if (request.isGuess || !isAnyKnown()) onGuess();
      return restore(request);
    };
  }
}
