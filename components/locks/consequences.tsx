"use client";

import { Cell, ColumnHead, Table } from "../ui/table";
import { TimeLeft } from "../ui/time-left";
import type { TakeAwayAnswer, TakeAwayVerb } from "./take-away";

type Result = TakeAwayAnswer["answer"]["nodes"][number]["result"];

const WILL: Readonly<Record<Result, string>> = {
  deleted: "key will be deleted",
  revoked: "token will be swapped, time kept",
  changed: "holds another token: stays as it is",
  gone: "has no key: nothing to do",
  unreachable: "cannot be reached: a key there stays",
};

const DID: Readonly<Record<Result, string>> = {
  deleted: "key deleted",
  revoked: "token swapped, time kept",
  changed: "held another token: untouched",
  gone: "had no key",
  unreachable: "not reached: a key there is still there",
};

const COLORS: Readonly<Record<Result, string>> = {
  deleted: "text-bad",
  revoked: "text-ink",
  changed: "text-risk",
  gone: "text-mute",
  unreachable: "text-unk",
};

/** Node by node: what would happen, or what did. */
export function Consequences({ given }: { readonly given: TakeAwayAnswer }) {
  const { answer, takenAt } = given;
  const words = answer.dryRun ? WILL : DID;
  return (
    <Table caption={answer.dryRun ? "What will happen on every node" : "What happened on every node"}>
      <thead>
        <tr>
          <ColumnHead>Node</ColumnHead>
          <ColumnHead>{answer.dryRun ? "What will happen" : "What happened"}</ColumnHead>
          <ColumnHead>Key dies by itself in</ColumnHead>
        </tr>
      </thead>
      <tbody>
        {answer.nodes.map(({ node, result, remainingMs, reason }) => (
          <tr key={node} className="border-line border-b last:border-b-0">
            <th scope="row" className="px-2.5 py-2 text-left font-semibold">
              {node}
            </th>
            <Cell isWrapping>
              <span className={`font-semibold ${COLORS[result]}`}>{words[result]}</span>
              {reason !== null && <span className="block text-[13px] text-mute">{reason}</span>}
            </Cell>
            <Cell>
              {result === "gone" || (result === "deleted" && !answer.dryRun) ? (
                <span className="text-mute">–</span>
              ) : (
                <TimeLeft remainingMs={remainingMs} takenAt={takenAt} never="no end known" />
              )}
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** Until when the old holder may still act: the one thing no delete can change. */
export function OldHolder({ given, verb }: { readonly given: TakeAwayAnswer; readonly verb: TakeAwayVerb }) {
  const { oldHolderMayActForMs: mayActMs, freeFromMs } = given.answer;
  const isRisky = verb === "force-expire" && mayActMs !== 0;
  return (
    <p className={`rounded-lg px-3.5 py-2.5 ${isRisky ? "bg-risk-soft" : "bg-track"}`}>
      {mayActMs === 0 ? (
        "Nobody can still believe to hold it."
      ) : (
        <>
          The old holder may still act{" "}
          <b>
            {mayActMs === null ? (
              "without an end that is known"
            ) : (
              <>
                for <TimeLeft remainingMs={mayActMs} takenAt={given.takenAt} />
              </>
            )}
          </b>
          {verb === "force-expire"
            ? ": who gets the lock in that time works beside it, unless the resource itself checks a fencing token. "
            : "; nobody else gets in before that. "}
        </>
      )}{" "}
      {freeFromMs === null ? (
        "When others can acquire it is not known."
      ) : (
        <>
          Others can acquire it{" "}
          <b>
            {freeFromMs === 0 ? (
              "at once"
            ) : (
              <>
                in <TimeLeft remainingMs={freeFromMs} takenAt={given.takenAt} over="0.0 s" />
              </>
            )}
          </b>
          .
        </>
      )}
    </p>
  );
}
