/** One lock that was won. Times on one clock for all clients, milliseconds. */
interface FencedGrant {
  readonly client: string;
  /** Just before the first request. */
  readonly askedAt: number;
  readonly wonAt: number;
  readonly fence: number;
}

/** Checks the fences of one resource: all different, and higher than those of all locks won before they were asked for. */
export class FenceHistory {
  readonly #grants: FencedGrant[] = [];

  add(grant: FencedGrant): void {
    this.#grants.push(grant);
  }

  violations(): readonly string[] {
    const violations: string[] = [];
    const byFence = new Map<number, FencedGrant>();
    for (const grant of this.#grants) {
      const twin = byFence.get(grant.fence);
      if (twin !== undefined) violations.push(`${grant.client} and ${twin.client} both have fence ${grant.fence}`);
      byFence.set(grant.fence, grant);
    }
    const asked = [...this.#grants].sort((a, b) => a.askedAt - b.askedAt);
    const won = [...this.#grants].sort((a, b) => a.wonAt - b.wonAt);
    let highest = 0;
    let next = 0;
    for (const { client, askedAt, fence } of asked) {
      for (let earlier = won[next]; earlier !== undefined && earlier.wonAt < askedAt; earlier = won[next]) {
        highest = Math.max(highest, earlier.fence);
        next += 1;
      }
      if (fence < highest) violations.push(`${client} asked at ${askedAt} and has ${fence}, after ${highest} was won`);
    }
    return violations;
  }
}
