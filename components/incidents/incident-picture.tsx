import type { CSSProperties } from "react";
import type { Incident } from "@/lib/contract";
import { tokenHues } from "../locks/token-hue";
import { overlapWords } from "./cause-words";

/** What lies before the second token is of interest, but must not squeeze the overlap to nothing. */
const BEFORE_SHARE = 0.4;
/** A short overlap is drawn over at least so much time, milliseconds. */
const SPAN_MS_MIN = 1000;
/** What has no end is drawn over so much, milliseconds. */
const ENDLESS_MS = 60_000;

/** One lane per token on one scale of time; where both believed, it is hatched. The words around it say the same. */
export function IncidentPicture({ incident }: { readonly incident: Incident }) {
  const { first, second, overlapMs } = incident;
  const hues = tokenHues([first.fingerprint, second.fingerprint]);
  const afterMs = Math.max(overlapMs ?? ENDLESS_MS, SPAN_MS_MIN);
  const beforeMs = Math.min(second.heldFrom - first.heldFrom, afterMs * (BEFORE_SHARE / (1 - BEFORE_SHARE)));
  const start = second.heldFrom - beforeMs;
  const spanMs = beforeMs + afterMs;
  const shareOf = (at: number) => Math.min(100, Math.max(0, ((at - start) / spanMs) * 100));
  const secondAt = shareOf(second.heldFrom);
  const firstEnd = shareOf(second.heldFrom + (overlapMs ?? ENDLESS_MS));
  const isCut = first.heldFrom < start;
  return (
    <div
      role="img"
      aria-label={`${first.fingerprint} held until ${overlapWords(overlapMs)} after ${second.fingerprint} got it`}
      className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-1.5"
    >
      <code>{first.fingerprint}</code>
      <Lane>
        <Bar from={0} to={firstEnd} hue={hues.get(first.fingerprint)} isCut={isCut} />
        <Overlap from={secondAt} to={firstEnd} />
      </Lane>
      <code>{second.fingerprint}</code>
      <Lane>
        <Bar from={secondAt} to={100} hue={hues.get(second.fingerprint)} />
        <Overlap from={secondAt} to={firstEnd} />
      </Lane>
      <span />
      <span className="relative h-5 text-[12.5px]">
        <span className="absolute whitespace-nowrap font-semibold text-bad" style={{ left: `${secondAt}%` }}>
          both, {overlapWords(overlapMs)}
        </span>
      </span>
    </div>
  );
}

function Lane({ children }: { readonly children: React.ReactNode }) {
  return <span className="relative block h-5 overflow-hidden rounded bg-track">{children}</span>;
}

type BarProps = { readonly from: number; readonly to: number; readonly hue?: number; readonly isCut?: boolean };

function Bar({ from, to, hue, isCut = false }: BarProps) {
  const style = { left: `${from}%`, width: `${to - from}%`, "--token-hue": hue ?? 0 } as CSSProperties;
  return (
    <span
      style={style}
      className={`token-fill absolute inset-y-0 ${isCut ? "border-l-4 border-dotted" : "rounded-l"}`}
    />
  );
}

function Overlap({ from, to }: { readonly from: number; readonly to: number }) {
  return (
    <span
      style={{ left: `${from}%`, width: `${Math.max(0, to - from)}%` }}
      className="absolute inset-y-0 border-bad border-x-2 bg-panel/45"
    >
      <span className="hatch absolute inset-0" />
    </span>
  );
}
