import { useMemo } from "react";
import type { LabEvent } from "@/lib/contract";

type Contest = Extract<LabEvent, { readonly kind: "contest" }>;

/** Contests of a crowd beside each other: who won, how long it took, and what was for nothing. Nothing where none has ended yet. */
export function ContestTable({ events }: { readonly events: readonly LabEvent[] }) {
  const contests = useMemo(() => events.filter((event) => event.kind === "contest"), [events]);
  if (contests.length === 0) return null;
  const longestMs = Math.max(1, ...contests.map(({ waitMs }) => waitMs?.most ?? 0));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
    <section aria-label="Contests" tabIndex={0} className="mt-4 overflow-x-auto">
      <table className="w-full min-w-[860px] border-collapse text-left text-[13px]">
        <caption className="mb-1 text-left text-mute">
          What each contest of {contests[0] === undefined ? "" : (contests[0].tookMs / 1000).toFixed(1)} s came to.
          Wasted: votes and commands of tries that did not win, and of taking their votes back.
        </caption>
        <thead>
          <tr className="border-line border-b">
            {[
              "Contest",
              "Wins",
              "Wins of each client",
              "Waiting for a win",
              "A try, median",
              "Wasted votes",
              "Wasted commands",
            ].map((title) => (
              <th key={title} scope="col" className="px-2 py-1 font-semibold">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {contests.map((contest) => (
            <Row key={contest.name} contest={contest} longestMs={longestMs} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({ contest, longestMs }: { readonly contest: Contest; readonly longestMs: number }) {
  const { name, wins, tries, splitTries, tryMs, wastedVotes, commands, wastedCommands, waitMs } = contest;
  const won = wins.reduce((sum, each) => sum + each, 0);
  const each = won === 0 ? "nobody won, so all were for nothing" : `${(wastedVotes / won).toFixed(1)} for each win`;
  return (
    <tr className="border-line border-b align-top">
      <th scope="row" className="max-w-52 px-2 py-1.5 font-normal">
        {name}
      </th>
      <td className="px-2 py-1.5">
        <b className="font-semibold">{won}</b> of {tries} tries, {splitTries} split
      </td>
      <td className="px-2 py-1.5">
        <WinBars wins={wins} />
        {Math.min(...wins)} to {Math.max(...wins)} each
      </td>
      <td className="px-2 py-1.5">
        {waitMs === null ? (
          "nobody won"
        ) : (
          <>
            <WaitBars {...waitMs} longestMs={longestMs} />
            {Math.round(waitMs.median)} ms (median), {Math.round(waitMs.most)} ms at most
          </>
        )}
      </td>
      <td className="px-2 py-1.5">{Math.round(tryMs)} ms</td>
      <td className="px-2 py-1.5">
        <b className="font-semibold">{wastedVotes}</b>, {each}
      </td>
      <td className="px-2 py-1.5">
        <b className="font-semibold">{wastedCommands}</b> of {commands}
      </td>
    </tr>
  );
}

const HEIGHT = 20;

/** One bar a client, the luckiest first; the words below say the same. */
function WinBars({ wins }: { readonly wins: readonly number[] }) {
  const most = Math.max(1, ...wins);
  const sorted = wins.toSorted((a, b) => b - a);
  const bars = sorted.map((count, x) => `M${x + 0.1} ${HEIGHT}v${(-HEIGHT * count) / most}h0.8V${HEIGHT}z`);
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${sorted.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="mb-0.5 block h-5 w-full max-w-36 border-line border-b"
    >
      <path d={bars.join("")} fill="var(--accent)" />
    </svg>
  );
}

type WaitProps = { readonly median: number; readonly most: number; readonly longestMs: number };

/** The median within the longest, on one scale for all contests. */
function WaitBars({ median, most, longestMs }: WaitProps) {
  return (
    <svg aria-hidden viewBox="0 0 100 8" preserveAspectRatio="none" className="mb-0.5 block h-2 w-full max-w-36">
      <rect width={(100 * most) / longestMs} height={8} fill="var(--edge)" fillOpacity={0.5} />
      <rect width={(100 * median) / longestMs} height={8} fill="var(--accent)" />
    </svg>
  );
}
