import {
  type EngineEvent,
  type LockNode,
  nodeId,
  type Random,
  RedlockEngine,
  SeededRandom,
  type Settings,
  type SimulatedNode,
  SimulatedServer,
  VirtualClock,
} from "@/lib/redlock";
import { fingerprint } from "./lock-node-harness";

/** Simulated servers on virtual time with one engine over them. Further engines come in by `join`. */
export interface Rig {
  readonly clock: VirtualClock;
  readonly servers: readonly SimulatedServer[];
  /** The connections of `engine`, in node order. */
  readonly links: readonly SimulatedNode[];
  readonly engine: RedlockEngine;
  readonly events: EngineEvent[];
  /** Another client. @param skewMs how far its wall clock is ahead */
  join(
    settings?: Partial<Settings>,
    skewMs?: number,
  ): { readonly engine: RedlockEngine; readonly links: readonly SimulatedNode[] };
  /** Values of `resource`, one per server; null where there is no key. */
  values(resource: string): (string | null)[];
  /** Milliseconds the key lives on each server, rounded; null where there is no key. */
  remaining(resource: string): (number | null)[];
}

/** What the wall clocks of simulated clients show at the beginning: some day in 2026, milliseconds. */
export const WALL_START_MS = 1_790_000_000_000;

/** @param membership nodes; their round trip is 1 ms */
export function makeRig(membership: number, settings: Partial<Settings> = {}): Rig {
  const clock = new VirtualClock();
  const events: EngineEvent[] = [];
  const servers = Array.from(
    { length: membership },
    (_, index) => new SimulatedServer({ id: nodeId(String.fromCharCode(97 + index)), clock, fingerprint }),
  );
  let seed = 0;
  const join = (own: Partial<Settings> = {}, skewMs = 0) => {
    seed += 1;
    const links = servers.map((server) => server.connect());
    const onEvent = (event: EngineEvent): void => {
      events.push(event);
    };
    const random = new SeededRandom(seed);
    const wallClock = () => WALL_START_MS + clock.now() + skewMs;
    const options = { clock, random, wallClock, settings: { ...settings, ...own }, onEvent };
    return { links, engine: new RedlockEngine(links, options) };
  };
  return {
    clock,
    servers,
    ...join(),
    events,
    join,
    values: (resource) => servers.map((server) => server.store.get(resource)?.value ?? null),
    remaining: (resource) =>
      servers.map((server) => {
        const expiresAt = server.store.get(resource)?.expiresAt ?? null;
        return expiresAt === null ? null : Math.round(expiresAt - clock.now());
      }),
  };
}

/** An engine over nodes that a test scripts itself. */
export function engineOver(
  nodes: readonly LockNode[],
  {
    clock = new VirtualClock(),
    settings,
    random = new SeededRandom(1),
  }: { clock?: VirtualClock; settings?: Partial<Settings>; random?: Random } = {},
): { readonly clock: VirtualClock; readonly engine: RedlockEngine } {
  return { clock, engine: new RedlockEngine(nodes, { clock, random, settings }) };
}

/** The value, or a failed test: `expect` does not narrow. */
export function present<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error("expected a value");
  return value;
}

/** The lock of an outcome that must be a win. */
export function lockOf<Held>(
  outcome: { readonly kind: "acquired"; readonly lock: Held } | { readonly kind: "not_acquired" },
): Held {
  if (outcome.kind !== "acquired") throw new Error(`expected a lock, got ${JSON.stringify(outcome)}`);
  return outcome.lock;
}

/** Every word of `length` letters. */
export function* words<Letter>(letters: readonly Letter[], length: number): Generator<readonly Letter[]> {
  if (length === 0) {
    yield [];
    return;
  }
  for (const rest of words(letters, length - 1)) for (const letter of letters) yield [letter, ...rest];
}

/** Waiters in the queue of `r`, one number per server. */
export function queuesOf({ servers }: Rig): readonly number[] {
  return servers.map(({ store }) => store.queues.order("r").length);
}
