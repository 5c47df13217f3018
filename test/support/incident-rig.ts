import { type AuditEntry, type Incident, incidentListSchema } from "@/lib/contract";
import { IncidentWatch, type Look, type NodeFacts } from "@/lib/incidents";

const NODES = ["a", "b", "c", "d", "e"];
const EPOCH = 1_800_000_000_000;

/** A watch for incidents over five nodes that say what the test wants, on a clock of the test's. */
export class IncidentRig {
  now = 10_000;
  readonly facts: NodeFacts[] = NODES.map((node) => ({ node, runId: `${node}1`, flushes: 0, clockOffsetMs: 0 }));
  readonly raised: Incident[] = [];
  readonly watch = new IncidentWatch({ nodes: () => this.facts, since: EPOCH });
  readonly #first = new Map<string, Look>();
  readonly #before = new Map<string, Look>();

  constructor() {
    this.watch.onIncident((incident) => this.raised.push(incident));
    this.tick();
  }

  /** Reads the resource. @param text per node `token@end`, `token` without expiry, `-` free, `?` silent, `?token@end` silent with what it showed last */
  see(text: string, resource = "orders:42"): void {
    const words = text.split(" ").map((word, index) => ({ node: NODES[index] ?? "", word }));
    const look: Look = {
      now: this.now,
      readAt: EPOCH + this.now,
      membership: words.length,
      silent: words.flatMap(({ node, word }) => (word.startsWith("?") ? [node] : [])),
      keys: words.flatMap(({ node, word }) => {
        const [token = "", end] = word.replace("?", "").split("@");
        const endAt = end === undefined ? Number.POSITIVE_INFINITY : Number(end);
        const isRevoked = token === "R";
        return token === "-" || token === "" || endAt <= this.now
          ? []
          : [{ node, fingerprint: token, endAt, seenAt: this.now, label: null, isRevoked }];
      }),
    };
    const first = this.#first.get(resource) ?? look;
    this.watch.observe(resource, this.#before.get(resource) ?? null, look, first.readAt);
    this.#first.set(resource, first);
    this.#before.set(resource, look);
  }

  /** Lets time pass, looking at the nodes on the way as the console does. */
  pass(ms: number): void {
    for (const end = this.now + ms; this.now < end; ) {
      this.now = Math.min(end, this.now + 500);
      this.tick();
    }
  }

  tick(): void {
    this.watch.tick(this.now, EPOCH + this.now);
  }

  /** Another word of a node about itself. */
  say(nodes: string, change: (facts: NodeFacts) => Partial<NodeFacts>): void {
    for (const [index, facts] of this.facts.entries()) {
      if (nodes.includes(facts.node)) this.facts[index] = { ...facts, ...change(facts) };
    }
  }

  /** An operator takes `token` away on these nodes. */
  force(token: string, nodes: string, more: Partial<AuditEntry> = {}): void {
    const done = [...nodes].map((node) => ({ node, result: "deleted" }));
    this.watch.noteAction({
      id: "1",
      correlationId: "1",
      at: EPOCH + this.now,
      phase: "outcome",
      actor: "ann",
      action: "lock.force_expired",
      target: "orders:42",
      reason: "stuck",
      outcome: "expired",
      details: { fingerprint: token, nodes: done },
      ...more,
    });
  }

  /** The list, checked as the API promises it. */
  list() {
    return incidentListSchema.parse(this.watch.list(EPOCH + this.now)).incidents;
  }
}
