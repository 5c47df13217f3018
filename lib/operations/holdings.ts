import type { LockDetail } from "@/lib/contract";
import { fingerprintOf } from "@/lib/redis";
import type { KeepAlive, Lock } from "@/lib/redlock";

/** A lock that was acquired through this console and not given back yet. */
interface Holding {
  readonly lock: Lock;
  readonly note: string | null;
  readonly keepAlive: KeepAlive | null;
}

/** What the console holds on behalf of its users. */
export class Holdings {
  readonly #byToken = new Map<string, Holding>();
  readonly #fingerprints = new Set<string>();

  add(lock: Lock, { note, keepAlive }: { readonly note: string | null; readonly keepAlive: KeepAlive | null }): void {
    this.#prune();
    this.#byToken.set(lock.token, { lock, note, keepAlive });
    this.#fingerprints.add(fingerprintOf(lock.token));
  }

  /** The handle of a token, when this console won it and it is about that resource. */
  find(token: string, resource: string): Lock | null {
    const holding = this.#byToken.get(token);
    return holding?.lock.resources.includes(resource) ? holding.lock : null;
  }

  remove(token: string): void {
    this.#byToken.get(token)?.keepAlive?.stop();
    this.#byToken.delete(token);
    this.#fingerprints.delete(fingerprintOf(token));
  }

  /** Whether a token is one of them. Asked of every lock that is judged. */
  isOwn(fingerprint: string): boolean {
    return this.#fingerprints.has(fingerprint);
  }

  /** What a page may know of it: never the token. */
  ownedByConsole(resource: string): LockDetail["ownedByConsole"] {
    this.#prune();
    for (const { lock, note, keepAlive } of this.#byToken.values()) {
      if (!lock.resources.includes(resource)) continue;
      return { keepAlive: keepAlive !== null, resources: [...lock.resources], note };
    }
    return null;
  }

  /** Gives back what is kept alive: nobody will extend it any more. The others belong to whoever has their token. */
  async releaseKeptAlive(): Promise<void> {
    const kept = [...this.#byToken.values()].filter(({ keepAlive }) => keepAlive !== null);
    await Promise.all(
      kept.map(async ({ lock, keepAlive }) => {
        keepAlive?.stop();
        // Not only a majority: the connections are closed next, and the slower nodes must have heard of it by then.
        await (await lock.release()).settled();
      }),
    );
    this.#byToken.clear();
    this.#fingerprints.clear();
  }

  /** Forgets what has ended by itself. */
  #prune(): void {
    for (const [token, { lock }] of this.#byToken) if (lock.remaining() === 0) this.remove(token);
  }
}
