import type { LockDetail, LockView } from "@/lib/contract";
import type { Layouts, WaiterProbe } from "@/lib/layouts";
import { fingerprintOf, type Master, type WaiterAnswer } from "@/lib/redis";

type Waiters = LockDetail["waiters"];
type Seen = Extract<WaiterAnswer, { readonly kind: "waiters" }>;

const NOT_VISIBLE = "Not visible with this client: whoever waits for the lock only tries again and leaves no trace.";

/**
 * Who waits for a lock, where its client leaves a trace of them.
 *
 * A waiter of a lock on N masters waits on each of them, so it is the largest number of any node that counts.
 */
export async function waitersOf(
  { resource, layout, holder }: Pick<LockView, "resource" | "layout" | "holder">,
  { masters, layouts }: { readonly masters: readonly Master[]; readonly layouts: Layouts },
): Promise<Waiters> {
  if (layout === null) return hidden("Nothing is known of its client, so neither of who waits.");
  const probe = layouts.waiters({ layoutId: layout.id, key: resource });
  if (probe === null) return hidden(NOT_VISIBLE);
  let hasAnswer = false;
  for (const source of probe.sources) {
    const answers = await Promise.all(masters.map((master) => master.waiters(source)));
    const waiting = answers.filter((answer) => answer.kind === "waiters");
    const most = longest(waiting.map((answer) => without(answer, holder?.fingerprint)));
    if (most === null) continue;
    hasAnswer = true;
    if (most.count > 0) return seen(most, probe);
  }
  if (!hasAnswer) return hidden("No node says who waits: none answered, or the login of the console may not ask.");
  return probe.isComplete ? { visible: true, count: 0, order: null, note: probe.note } : hidden(NOT_VISIBLE);
}

/** Some clients keep the holder in the queue as well. */
function without({ kind, count, entries, scores }: Seen, holder: string | undefined): Seen {
  const isOther = (entries ?? []).map((entry) => fingerprintOf(entry) !== holder);
  const others = entries?.filter((_, index) => isOther[index]) ?? null;
  return {
    kind,
    count: count - ((entries?.length ?? 0) - (others?.length ?? 0)),
    entries: others,
    scores: scores?.filter((_, index) => isOther[index]) ?? null,
  };
}

function longest(answers: readonly Seen[]): Seen | null {
  return answers.reduce<Seen | null>((best, one) => (best === null || one.count > best.count ? one : best), null);
}

function seen({ count, entries, scores }: Seen, probe: WaiterProbe): Waiters {
  const nameOf = (entry: Buffer, index: number): string =>
    probe.nameOf(entry.toString("latin1"), scores?.[index] ?? null) ?? fingerprintOf(entry);
  const names = entries?.map(nameOf) ?? null;
  return { visible: true, count, order: names, note: probe.note };
}

function hidden(note: string): Waiters {
  return { visible: false, count: null, order: null, note };
}
