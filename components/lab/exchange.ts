import type { LabEvent, LabVote } from "@/lib/contract";

/** How long the replies to a request stay on their wires, milliseconds of the record. */
const LINGER_MS = 1500;
/** A request and its replies; before `atMs` nothing is known of the replies. */
export interface Exchange {
  readonly about: string;
  readonly votes: readonly LabVote[];
  readonly hasReplies: boolean;
}

/** What a reply means to who asked; neutral: there was nothing to do. */
export type Tone = "yes" | "no" | "neutral" | "silent";

/** The newest exchange of a client with the nodes, as long as it is on the wires. @param events also those to come */
export function exchangeOf(client: string, events: readonly LabEvent[], atMs: number): Exchange | null {
  const own = events.filter((event) => "client" in event && event.client === client);
  const latest = own
    .flatMap((event): readonly (Exchange & { readonly fromMs: number; readonly toMs: number })[] => {
      const votes = votesOf(event);
      if (votes === null) return [];
      const begun = own.find((each) => each.kind === "ending" && "id" in event && each.id === event.id);
      const fromMs = "askedMs" in event ? event.askedMs : event.kind === "released" ? begun?.atMs : undefined;
      return [
        {
          about: aboutOf(event),
          votes,
          hasReplies: event.atMs <= atMs,
          fromMs: fromMs ?? event.atMs,
          toMs: event.atMs,
        },
      ];
    })
    .findLast(({ fromMs }) => fromMs <= atMs);
  if (latest === undefined || atMs > latest.toMs + LINGER_MS) return null;
  const { about, votes, hasReplies } = latest;
  return { about, votes, hasReplies };
}

function votesOf(event: LabEvent): readonly LabVote[] | null {
  if ("votes" in event) return event.votes;
  if (event.kind !== "raw") return null;
  const { node, answer } = event;
  return [{ node, kind: answer === null ? "timeout" : "answered", text: answer ?? "did not answer in time" }];
}

function aboutOf(event: LabEvent): string {
  if (event.kind === "raw") return event.command;
  if (event.kind === "released") return "release";
  return "resource" in event ? `acquire ${event.resource}` : event.kind;
}

const NO_ANSWER: readonly string[] = ["timeout", "unreachable", "pending"];
const YES: readonly string[] = ["granted", "extended", "healed", "released", "answered"];

/** What the kind of a vote means. */
export function toneOf(kind: string): Tone {
  if (NO_ANSWER.includes(kind)) return "silent";
  if (kind === "gone") return "neutral";
  return YES.includes(kind) ? "yes" : "no";
}
