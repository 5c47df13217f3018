/** Readings that a clock which also counts sleep is made of; milliseconds each. */
export interface TimeSources {
  /** Never jumps, but stands still while the machine sleeps or its virtual machine is suspended. */
  monotonic(): number;
  /** Cheap, and jumps whenever somebody sets it. */
  wall(): number;
  /** Time since the machine was booted, sleep included; too dear to read for every question. */
  sinceBoot(): number;
}

/** Clocks that part by more than this are looked into, milliseconds; below it is rounding and the skew that NTP applies. */
const SUSPICIOUS_MS = 50;

/**
 * A monotonic clock that goes on while the machine sleeps.
 *
 * A holder whose virtual machine was suspended for a minute must find its lock expired when it wakes: the nodes went on counting.
 * The wall clock tells cheaply *that* something happened, the time since boot *what*: after a sleep both have moved on, after a step
 * of the wall clock only that one has, and a step must cost no lock.
 *
 * @returns milliseconds; never goes back
 */
export function awakeClock({ monotonic, wall, sinceBoot }: TimeSources): () => number {
  let slept = 0;
  let wallLead = wall() - monotonic();
  let bootLead = sinceBoot() - monotonic();
  return () => {
    const now = monotonic();
    if (Math.abs(wall() - now - wallLead) > SUSPICIOUS_MS) {
      const lead = sinceBoot() - now;
      slept += Math.max(0, lead - bootLead > SUSPICIOUS_MS ? lead - bootLead : 0);
      bootLead = lead;
      wallLead = wall() - now;
    }
    return now + slept;
  };
}
