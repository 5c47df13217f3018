import type { ReleaseRecipe } from "@/lib/layouts";
import type {
  BootstrapAnswer,
  ChangeAnswer,
  ChangeFeed,
  ChangeListener,
  KeyReading,
  Master,
  MasterStatus,
  ReadAnswer,
  ScanAnswer,
  WaiterAnswer,
} from "@/lib/redis";
import { type Fault, nodeId } from "@/lib/redlock";

const UP: MasterStatus = {
  state: "up",
  condition: "admitted",
  quarantinedForMs: 0,
  quarantineReason: null,
  isUndrainable: false,
  role: "master",
  version: "7.0.15",
  runId: "r",
  uptimeMs: 1,
  roundTripMs: 1,
  clockOffsetMs: 0,
  persistence: "none",
  evictionPolicy: "noeviction",
  keys: 0,
  flushes: 0,
  refusesGrants: null,
  lastAnswerMsAgo: 0,
  faults: [],
};

interface FakeKey {
  readonly value: string;
  /** On the monotonic clock; null = never. */
  readonly endAt: number | null;
}

/** What a console reads of a master, from a map. `fault` is answered instead when set; `delayMs` delays every answer. */
export class FakeMaster implements Master {
  readonly id;
  readonly address = "fake:1";
  readonly database = 0;
  readonly keys = new Map<string, FakeKey>();
  fault: Fault | null = null;
  delayMs = 0;
  scans = 0;
  #said: Partial<MasterStatus> = {};
  readonly #listeners = new Set<() => void>();

  constructor(name: string) {
    this.id = nodeId(name);
  }

  /** Writes a key. @param remainingMs null = no expiry */
  put(resource: string, value: string, remainingMs: number | null): void {
    this.keys.set(resource, { value, endAt: remainingMs === null ? null : performance.now() + remainingMs });
  }

  status(): MasterStatus {
    return this.fault === null ? { ...UP, ...this.#said } : { ...UP, state: "down", condition: "unreachable" };
  }

  /** Changes what the master says of itself, and tells whoever listens. */
  say(status: Partial<MasterStatus>): void {
    this.#said = { ...this.#said, ...status };
    for (const listener of this.#listeners) listener();
  }

  probe(): Promise<MasterStatus> {
    return Promise.resolve(this.status());
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async read(resources: readonly string[]): Promise<ReadAnswer> {
    const fault = await this.#answerTime();
    return fault ?? { kind: "readings", readings: resources.map((name) => this.#readingOf(name)), roundTripMs: 1 };
  }

  async scan(): Promise<ScanAnswer> {
    this.scans += 1;
    const fault = await this.#answerTime();
    return fault ?? { kind: "page", cursor: "0", readings: [...this.keys.keys()].map((name) => this.#readingOf(name)) };
  }

  /** Tells of nothing: the mirror has to ask at intervals. */
  follow(_prefixes: readonly string[], listener: ChangeListener): ChangeFeed {
    queueMicrotask(() => listener.lost("a fake tells of no changes", true));
    return { fence: () => Promise.resolve(false), close: () => Promise.resolve() };
  }

  swaps(): Promise<number | null> {
    return Promise.resolve(null);
  }

  /** How often it was bootstrapped. */
  bootstraps = 0;

  async bootstrap(): Promise<BootstrapAnswer> {
    const fault = await this.#answerTime();
    if (fault !== null) return fault;
    this.bootstraps += 1;
    return { kind: "done" };
  }

  drain(): Promise<Fault> {
    return this.acquire();
  }

  undrain(): Promise<Fault> {
    return this.acquire();
  }

  /** Knows plain string locks only: one value to compare, one key to delete. */
  carryOut({ key, expects }: ReleaseRecipe): Promise<ChangeAnswer> {
    const [expected] = expects;
    if (expected?.kind !== "value") throw new Error("this fake knows plain string locks only");
    const resource = Buffer.from(key, "latin1").toString();
    return this.#change(resource, Buffer.from(expected.value, "latin1"), () => this.keys.delete(resource));
  }

  /** Keeps no queues. */
  handOn(): Promise<void> {
    return Promise.resolve();
  }

  compareAndSwap(resource: string, seen: Buffer, replacement: Buffer): Promise<ChangeAnswer> {
    return this.#change(resource, seen, (key) => this.keys.set(resource, { ...key, value: replacement.toString() }));
  }

  async waiters(): Promise<WaiterAnswer> {
    return (await this.#answerTime()) ?? { kind: "waiters", count: 0, entries: null, scores: null };
  }

  acquire(): Promise<Fault> {
    return Promise.resolve({ kind: "error", reason: "not part of this fake" });
  }

  extend = this.acquire;
  heal = this.acquire;
  release = this.acquire;
  raiseFence = this.acquire;
  readFence = this.acquire;
  restoreFence = this.acquire;

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #change(resource: string, seen: Buffer, apply: (key: FakeKey) => void): Promise<ChangeAnswer> {
    const fault = await this.#answerTime();
    if (fault !== null) return fault;
    const key = this.keys.get(resource);
    if (key === undefined) return { kind: "gone" };
    if (key.value !== seen.toString()) return { kind: "changed" };
    apply(key);
    return { kind: "done" };
  }

  #readingOf(resource: string): KeyReading {
    const key = this.keys.get(resource);
    if (key === undefined) return { resource, type: "none", value: null, elements: null, remainingMs: null };
    const remainingMs = key.endAt === null ? null : Math.round(key.endAt - performance.now());
    return { resource, type: "string", value: Buffer.from(key.value), elements: null, remainingMs };
  }

  async #answerTime(): Promise<Fault | null> {
    if (this.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.delayMs));
    return this.fault;
  }
}

/** Fake masters a, b, c, … */
export function fakeMasters(count: number): FakeMaster[] {
  return Array.from({ length: count }, (_, index) => new FakeMaster("abcdefg".charAt(index)));
}
