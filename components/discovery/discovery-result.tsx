import { CircleCheck, CircleDashed, CircleOff, KeyRound, ServerOff } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import type { DiscoveryAnswer } from "@/lib/contract";
import { TimeAgo } from "../ui/clock-time";
import { Panel } from "../ui/panel";
import { EmptyState } from "../ui/states";
import { KeyGroups } from "./key-groups";
import { PatternsPanel } from "./patterns-panel";

type Props = { readonly answer: DiscoveryAnswer };

/** What a sampling found: how much was looked at, the line to set, and the groups behind it. */
export function DiscoveryResult({ answer }: Props) {
  const { groups, moreGroups } = answer;
  return (
    <>
      <Panel title="Nodes sampled" aside={<SampledAgo at={answer.readAt} />}>
        <SampledNodes nodes={answer.nodes} />
      </Panel>
      {groups.length === 0 ? (
        <div className="rounded-xl border border-line bg-panel">
          <NoGroups answer={answer} />
        </div>
      ) : (
        <>
          <PatternsPanel answer={answer} />
          <Panel title="Groups of keys">
            <KeyGroups groups={groups} isEverythingRead={answer.current === null} />
            {moreGroups > 0 && (
              <p className="mt-3 text-mute">
                {moreGroups.toLocaleString("en-US")} more {moreGroups === 1 ? "group is" : "groups are"} not shown; none
                is likelier to be locks than the last above.
              </p>
            )}
          </Panel>
        </>
      )}
    </>
  );
}

function SampledAgo({ at }: { readonly at: number }) {
  return (
    <span className="text-[13px] text-mute">
      sampled <TimeAgo at={at} />
    </span>
  );
}

/** How much of each node was looked at: a sample must never pass for the whole. */
function SampledNodes({ nodes }: { readonly nodes: DiscoveryAnswer["nodes"] }) {
  return (
    <ul className="grid gap-1">
      {nodes.map(({ node, sampled, of, complete, reason }) => {
        const Icon = complete ? CircleCheck : sampled === 0 ? CircleOff : CircleDashed;
        const all = of === null || complete ? "" : ` of ${of.toLocaleString("en-US")}`;
        const keys = sampled === 1 && all === "" ? "key" : "keys";
        return (
          <li key={node} className={`flex items-start gap-1.5 ${reason === null ? "" : "text-risk"}`}>
            <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
            <span>
              <b>{node}</b>: {sampled.toLocaleString("en-US")}
              {all} {keys}
              {complete && ", all there are"}
              {reason !== null && ` · ended early: ${reason}`}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** No node answered, no keys, or not all nodes asked: three different things. */
function NoGroups({ answer: { nodes } }: Props) {
  const silent = nodes.filter(({ sampled, reason }) => sampled === 0 && reason !== null);
  if (silent.length === nodes.length) {
    return (
      <EmptyState icon={<ServerOff />} title="No node could be sampled" actions={<NodesLink>See the nodes</NodesLink>}>
        Whether there are locks is not known: {silent[0]?.reason}. Bring the nodes back, then sample again.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={<KeyRound />} title="No keys">
      {silent.length === 0 ? "The nodes have" : "The nodes that answered have"} no keys but the console’s own. Locks
      come and go: sample again while your clients are at work.
    </EmptyState>
  );
}

function NodesLink({ children }: { readonly children: ReactNode }) {
  return (
    <Link
      href="/nodes"
      className="inline-flex min-h-9 items-center rounded-lg border border-line bg-panel px-3.5 font-semibold hover:bg-hover"
    >
      {children}
    </Link>
  );
}
