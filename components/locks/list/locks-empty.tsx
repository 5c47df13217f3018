import { CircleDashed, LockOpen, SearchX, ServerOff } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { resourceIdOf, type Scan } from "@/lib/contract";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/states";

type Props = {
  readonly scan: Scan;
  /** How many there are without search and preset. */
  readonly all: number;
  readonly q: string;
  readonly onClear: () => void;
  /** What to do when there is no lock at all. */
  readonly children: ReactNode;
};

/** No rows: empty, filtered out, still scanning and nodes down are four different things, each with its next step. */
export function LocksEmpty({ scan, all, q, onClear, children }: Props) {
  const unread = scan.nodes.filter(({ state }) => state === "unread");
  const exact = isPlainName(q) ? <LookUp name={q.trim()} /> : null;
  if (all > 0) {
    return (
      <EmptyState
        icon={<SearchX />}
        title="No lock fits the filter"
        actions={
          <>
            <Button onClick={onClear}>Clear the filter</Button>
            {exact}
          </>
        }
      >
        {all.toLocaleString("en-US")} {all === 1 ? "lock is" : "locks are"} hidden by it.
      </EmptyState>
    );
  }
  if (unread.length === scan.n) {
    return (
      <EmptyState icon={<ServerOff />} title="No node could be read" actions={<NodesLink />}>
        Whether there are locks is not known: {unread[0]?.reason ?? "no node answers"}. The console keeps trying.
      </EmptyState>
    );
  }
  if (scan.complete < scan.n) {
    return (
      <EmptyState icon={<CircleDashed />} title="No lock found so far" actions={exact ?? <NodesLink />}>
        {scan.complete} of {scan.n} nodes are read to the end. There may be locks on the others.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<LockOpen />} title="No locks" actions={exact ?? children}>
      All {scan.n} nodes were read to the end, and none has a key that looks like a lock.
    </EmptyState>
  );
}

/** An exact name goes straight to the nodes, also for a lock that is free. */
function LookUp({ name }: { readonly name: string }) {
  return (
    <Link
      href={`/locks/${resourceIdOf(name)}`}
      className="inline-flex min-h-9 items-center rounded-lg border border-line bg-panel px-3.5 font-semibold hover:bg-hover"
    >
      Ask the nodes for “{name}”
    </Link>
  );
}

function NodesLink() {
  return (
    <Link
      href="/nodes"
      className="inline-flex min-h-9 items-center rounded-lg border border-line bg-panel px-3.5 font-semibold hover:bg-hover"
    >
      See the nodes
    </Link>
  );
}

function isPlainName(q: string): boolean {
  return q.trim() !== "" && !/\s|[<>]/.test(q.trim()) && !/^(verdict|holder|node|client):|^no-expiry$/i.test(q.trim());
}
