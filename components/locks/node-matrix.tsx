"use client";

import { Terminal } from "lucide-react";
import { formatRoundTrip, type Received, useCluster } from "@/lib/client";
import type { LockDetail, Reading } from "@/lib/contract";
import { CopyButton } from "../ui/copy-button";
import { Cell, ColumnHead, Table } from "../ui/table";
import { TimeLeft } from "../ui/time-left";
import { useIsNarrow } from "../ui/use-is-narrow";
import { Pip, tokensOf } from "./pips";
import { redisCliCommand } from "./redis-cli";
import { tokenHues } from "./token-hue";

type Props = { readonly lock: Received<LockDetail> };

const READING_WORDS = { token: "holds a token", free: "free", unknown: "unknown", foreign: "foreign key" } as const;

/** What every node says about the resource, and whether it would grant it now. */
export function NodeMatrix({ lock }: Props) {
  const isNarrow = useIsNarrow();
  const { value } = lock;
  const tokens = tokensOf(value.nodes, value.holder?.fingerprint ?? null);
  const hues = tokenHues(tokens);
  const pipOf = (reading: Reading) => (
    <Pip
      reading={reading}
      hue={hues.get(reading.fingerprint ?? "") ?? null}
      rank={tokens.indexOf(reading.fingerprint ?? "")}
    />
  );
  if (isNarrow) {
    return (
      <ul className="divide-y divide-line">
        {value.nodes.map((reading) => (
          <li key={reading.node} className="grid gap-1 py-2.5">
            <span className="flex items-center gap-2">
              <b>{reading.node}</b> {pipOf(reading)} {READING_WORDS[reading.reading]}
              {reading.fingerprint !== null && <Token reading={reading} />}
              <span className="ml-auto flex items-center gap-1">
                {(reading.reading === "token" || reading.reading === "foreign") && (
                  <Remaining reading={reading} takenAt={lock.takenAt} />
                )}
                <RedisCli lock={value} reading={reading} />
              </span>
            </span>
            <span className="text-[13px] text-mute">
              <Obstacle lock={value} takenAt={lock.takenAt} node={reading.node} />
              {reading.roundTripMs !== null && ` · ${formatRoundTrip(reading.roundTripMs)}`}
            </span>
          </li>
        ))}
      </ul>
    );
  }
  return (
    <Table caption={`What every node says about ${value.resource}`}>
      <thead>
        <tr>
          {["Node", "Reading", "Token", "Type", "Remaining", "Round trip", "Could you acquire here now?"].map(
            (name) => (
              <ColumnHead key={name}>{name}</ColumnHead>
            ),
          )}
          <ColumnHead>
            <span className="sr-only">redis-cli command</span>
          </ColumnHead>
        </tr>
      </thead>
      <tbody>
        {value.nodes.map((reading) => (
          <tr key={reading.node} className="border-line border-b last:border-b-0">
            <th scope="row" className="px-2.5 py-2 text-left font-semibold">
              {reading.node}
            </th>
            <Cell>
              <span className="inline-flex items-center gap-2">
                {pipOf(reading)} {READING_WORDS[reading.reading]}
                {reading.quarantined && <span className="text-unk">· quarantined</span>}
              </span>
            </Cell>
            <Cell>
              <Token reading={reading} />
            </Cell>
            <Cell>{reading.type ?? "–"}</Cell>
            <Cell>
              <Remaining reading={reading} takenAt={lock.takenAt} />
            </Cell>
            <Cell>{formatRoundTrip(reading.roundTripMs)}</Cell>
            <Cell isWrapping>
              <Obstacle lock={value} takenAt={lock.takenAt} node={reading.node} />
            </Cell>
            <Cell>
              <RedisCli lock={value} reading={reading} />
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Token({ reading }: { readonly reading: Reading }) {
  return reading.fingerprint === null ? <span>–</span> : <code>{reading.fingerprint}</code>;
}

function Remaining({ reading, takenAt }: { readonly reading: Reading; readonly takenAt: number | null }) {
  if (reading.reading === "free") return <span className="text-mute">–</span>;
  if (reading.reading === "unknown") return <span className="text-unk">unknown</span>;
  return <TimeLeft remainingMs={reading.remainingMs} takenAt={takenAt} never="no expiry" over="expired" />;
}

type ObstacleProps = { readonly lock: LockDetail; readonly takenAt: number | null; readonly node: string };

function Obstacle({ lock, takenAt, node }: ObstacleProps) {
  const obstacle = lock.obstacles.find((one) => one.node === node);
  if (obstacle === undefined) return <span className="text-mute">–</span>;
  const { canAcquire, reason, freeInMs } = obstacle;
  const own = lock.nodes.find((reading) => reading.node === node);
  // Where the key alone decides, its remaining time says the same already.
  const isLater = freeInMs !== null && freeInMs > (own?.remainingMs ?? 0);
  if (canAcquire === null) return <span className="text-unk">Unknown. {reason}</span>;
  return (
    <span>
      <b className={canAcquire ? "text-ok" : "text-ink"}>{canAcquire ? "Yes." : "No."}</b> {reason}
      {isLater && (
        <>
          {" "}
          Possible in <TimeLeft remainingMs={freeInMs} takenAt={takenAt} over="no time" />.
        </>
      )}
    </span>
  );
}

function RedisCli({ lock, reading }: { readonly lock: LockDetail; readonly reading: Reading }) {
  const cluster = useCluster();
  const nodes = cluster.kind === "ready" ? cluster.cluster.value.nodes : [];
  const address = nodes.find(({ id }) => id === reading.node)?.address;
  if (address === undefined) return null;
  return (
    <CopyButton
      text={redisCliCommand(address, lock.resource, reading.type)}
      what={`redis-cli command for node ${reading.node}`}
    >
      <Terminal aria-hidden className="size-3.5" />
      <span className="sr-only">Copy the redis-cli command for node {reading.node}</span>
    </CopyButton>
  );
}
