import { CircleCheck, CircleSlash, CircleX, Clock, ShieldAlert, Unplug } from "lucide-react";
import { formatDuration, formatRoundTrip } from "@/lib/client";
import type { ExtendAnswer, ReleaseAnswer, Vote } from "@/lib/contract";
import { Cell, ColumnHead, Table } from "../ui/table";

type AnyVote = Vote | ExtendAnswer["votes"][number] | ReleaseAnswer["votes"][number];

const LOOKS = {
  granted: { icon: CircleCheck, color: "text-ok" },
  extended: { icon: CircleCheck, color: "text-ok" },
  released: { icon: CircleCheck, color: "text-ok" },
  gone: { icon: CircleSlash, color: "text-mute" },
  missing: { icon: CircleSlash, color: "text-risk" },
  refused: { icon: CircleX, color: "text-bad" },
  error: { icon: CircleX, color: "text-bad" },
  timeout: { icon: Clock, color: "text-unk" },
  unreachable: { icon: Unplug, color: "text-unk" },
  quarantined: { icon: ShieldAlert, color: "text-unk" },
} as const satisfies Record<AnyVote["vote"], object>;

/** Every node's vote, and why. */
export function VotesTable({ votes }: { readonly votes: readonly AnyVote[] }) {
  const hasSeveral = new Set(votes.map(({ resource }) => resource)).size > 1;
  return (
    <Table caption="The vote of every node">
      <thead>
        <tr>
          <ColumnHead>Node</ColumnHead>
          <ColumnHead>Vote</ColumnHead>
          <ColumnHead>Why</ColumnHead>
          <ColumnHead className="max-sm:hidden">Round trip</ColumnHead>
        </tr>
      </thead>
      <tbody>
        {votes.map((vote) => {
          const { icon: Icon, color } = LOOKS[vote.vote];
          return (
            <tr key={`${vote.node} ${vote.resource ?? ""}`} className="border-line border-b last:border-b-0">
              <th scope="row" className="px-2.5 py-2 text-left font-semibold">
                {vote.node}
              </th>
              <Cell>
                <span className={`inline-flex items-center gap-1.5 font-semibold ${color}`}>
                  <Icon aria-hidden className="size-4" />
                  {vote.vote}
                </span>
              </Cell>
              <Cell isWrapping>
                {hasSeveral && vote.resource !== undefined && <code>{vote.resource}: </code>}
                {whyOf(vote)}
              </Cell>
              <Cell className="max-sm:hidden">{formatRoundTrip(vote.roundTripMs)}</Cell>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}

function whyOf(vote: AnyVote): string {
  const kind = vote.vote;
  switch (kind) {
    case "granted":
    case "extended":
    case "released":
      return vote.reason ?? "";
    case "gone":
      return vote.reason ?? "nothing left to release";
    case "missing":
      return vote.reason ?? "had lost the key";
    case "refused":
      return refusal(vote);
    case "timeout":
      return vote.reason ?? "no answer in time; a release follows, in case the request arrived";
    case "unreachable":
    case "quarantined":
    case "error":
      return vote.reason ?? "";
    default:
      return kind satisfies never;
  }
}

function refusal({ holder, remainingMs, reason }: AnyVote): string {
  if (holder == null) return reason ?? "a key is in the way";
  const end = remainingMs == null ? "without end" : `for ${formatDuration(remainingMs)} more`;
  return `held by ${holder} ${end}`;
}
