import type { PausableClock, SimulatedNode, SimulatedServer } from "@/lib/redlock";

/** One thing that goes wrong. Node and client numbers wrap around. */
export type WorldFault =
  | { readonly kind: "hang" | "crash" | "lose"; readonly node: number; readonly at: number; readonly forMs: number }
  | {
      readonly kind: "hole";
      readonly node: number;
      readonly client: number;
      readonly at: number;
      readonly forMs: number;
    }
  /** What is published is lost: no waiter of this client hears that a key was handed to it. */
  | {
      readonly kind: "mute";
      readonly node: number;
      readonly client: number;
      readonly at: number;
      readonly forMs: number;
    }
  | { readonly kind: "reset"; readonly node: number; readonly client: number; readonly at: number }
  | {
      readonly kind: "slow";
      readonly node: number;
      readonly client: number;
      readonly at: number;
      readonly forMs: number;
      readonly byMs: number;
    }
  | { readonly kind: "pause"; readonly client: number; readonly at: number; readonly forMs: number }
  | { readonly kind: "forget" | "flush"; readonly node: number; readonly at: number }
  /** Sets the node's clock: outside the model of Redlock, but fences must bear it. */
  | { readonly kind: "step"; readonly node: number; readonly at: number; readonly byMs: number }
  /** Loses the keys of a running node past the restart guard: to see that the checker sees. */
  | { readonly kind: "wipe"; readonly node: number; readonly at: number };

/** What a fault is done to; undefined where it names no such thing. */
interface Victims {
  readonly server: SimulatedServer | undefined;
  readonly client: { readonly clock: PausableClock } | undefined;
  readonly link: SimulatedNode | undefined;
}

/** Does it now. @param later heals what is healed after so many milliseconds */
export function inflict(
  fault: WorldFault,
  { server, client, link }: Victims,
  later: (ms: number, heal: () => void) => void,
): void {
  switch (fault.kind) {
    case "hang":
      server?.hang();
      later(fault.forMs, () => server?.wake());
      break;
    case "crash":
      // Comes back with all its keys, as with appendfsync always.
      server?.stop();
      later(fault.forMs, () => server?.start());
      break;
    case "lose":
      server?.stop();
      later(fault.forMs, () => server?.start({ isEmpty: true }));
      break;
    case "flush":
      server?.forgetVotes();
      break;
    case "hole":
      link?.hold();
      later(fault.forMs, () => link?.deliver());
      break;
    case "mute":
      if (link !== undefined) link.handOver.isMute = true;
      later(fault.forMs, () => {
        if (link !== undefined) link.handOver.isMute = false;
      });
      break;
    case "reset":
      link?.reset();
      break;
    case "slow":
      link?.delay(fault.byMs);
      later(fault.forMs, () => link?.delay(0));
      break;
    case "pause":
      client?.clock.pause();
      later(fault.forMs, () => client?.clock.resume());
      break;
    case "forget":
      server?.forgetScripts();
      break;
    case "step":
      server?.stepClock(fault.byMs);
      break;
    case "wipe":
      server?.store.clear();
      break;
    default:
      fault satisfies never;
  }
}

/** When nothing of a fault is left: what a slow link was given at its end still has to arrive, and the answer to come back. */
export function overAt(fault: WorldFault): number {
  return fault.at + ("forMs" in fault ? fault.forMs : 0) + (fault.kind === "slow" ? 2 * fault.byMs : 0);
}
