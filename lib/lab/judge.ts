import type { LabClaim, LabEvent } from "@/lib/contract";
import { type ClaimRecord, type Interval, intervalsOf, type Overlap, overlaps } from "./intervals";

/** What a record says of who believed what. */
export interface Judgement {
  readonly claims: readonly LabClaim[];
  readonly overlaps: readonly Overlap[];
}

/** Puts the beliefs of a record together and looks for two that overlap, with the checker of the fault tests. */
export function judge(events: readonly LabEvent[]): Judgement {
  const clients = new Map(events.flatMap((event) => (event.kind === "granted" ? [[event.id, event.client]] : [])));
  const intervals = intervalsOf(events.flatMap(claimRecordsOf));
  const claimOf = ({ id, resource, fromUs, untilUs }: Interval): LabClaim => ({
    id,
    client: clients.get(id) ?? "",
    resource,
    fromMs: fromUs / 1000,
    untilMs: untilUs / 1000,
  });
  return { claims: intervals.map(claimOf), overlaps: overlaps(intervals) };
}

function claimRecordsOf(event: LabEvent): readonly ClaimRecord[] {
  const atUs = Math.round(event.atMs * 1000);
  if (event.kind === "ending") return [{ kind: "end", id: event.id, atUs }];
  if (event.kind === "lost") return [{ kind: "stale", id: event.id, atUs }];
  if (event.kind === "extended") {
    const [askedUs, untilUs] = [Math.round(event.askedMs * 1000), Math.round(event.untilMs * 1000)];
    return event.outcome === "extended" ? [{ kind: "extend", id: event.id, askedUs, atUs, untilUs }] : [];
  }
  if (event.kind !== "granted") return [];
  const { id, resource, askedMs, untilMs } = event;
  return [
    { kind: "grant", id, resource, askedUs: Math.round(askedMs * 1000), atUs, untilUs: Math.round(untilMs * 1000) },
  ];
}
