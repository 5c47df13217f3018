import type { ClientLane, NodeLane, Stretch } from "./lanes";

/** Height of a lane, and of the bars in it. */
export const ROW = 40;
const BARS = 24;
const FONT = 12;

/** Where on the picture a moment lies, and the hue of each token. */
export type Place = {
  readonly x: (ms: number) => number;
  readonly hues: ReadonlyMap<string, number>;
  readonly resources: readonly string[];
};

function Label({ y, children }: { y: number; children: string }) {
  return (
    <text x={0} y={y + ROW / 2 + 4} fontSize="13" fontWeight="600" fill="var(--ink)">
      {children}
    </text>
  );
}

/** What one client believes, and when it was refused. */
export function ClientRow({ lane, y, place }: { lane: ClientLane; y: number; place: Place }) {
  return (
    <g>
      <Label y={y}>{`client ${lane.name}`}</Label>
      {lane.beliefs.map((belief) => (
        <Bar key={belief.id} stretch={belief} y={y} text={belief.resource} holder={belief.holder} place={place} />
      ))}
      {lane.refusals.map(({ atMs, resource }) => {
        const { top, height } = rowOf(resource, y, place);
        const [middle, size] = [top + height / 2, Math.min(FONT, height + 2)];
        return (
          <text key={atMs} x={place.x(atMs)} y={middle + 4} textAnchor="middle" fontSize={size} fill="var(--bad)">
            ✕
          </text>
        );
      })}
    </g>
  );
}

/** How one node stood, and whose keys it had. */
export function NodeRow({ lane, y, place }: { lane: NodeLane; y: number; place: Place }) {
  const low = y + ROW - 5;
  return (
    <g>
      <Label y={y}>{`node ${lane.name}`}</Label>
      {lane.states.map(({ state, fromMs, untilMs }) => {
        const x1 = place.x(fromMs);
        const x2 = place.x(untilMs);
        return (
          <g key={fromMs}>
            {state !== "down" && (
              <line
                {...{ x1, x2, y1: low, y2: low }}
                stroke={state === "up" ? "var(--ok)" : "var(--risk)"}
                strokeWidth={3}
                strokeDasharray={state === "up" ? undefined : "4 5"}
              />
            )}
            {state !== "up" && x2 - x1 > 40 && (
              <text x={(x1 + x2) / 2} y={low + 4} textAnchor="middle" fontSize="12" fill="var(--mute)">
                {state}
              </text>
            )}
          </g>
        );
      })}
      {lane.keys.map((key) => (
        <Bar
          key={`${key.fromMs} ${key.resource}`}
          stretch={key}
          y={y}
          text={key.holder}
          holder={key.holder}
          place={place}
        />
      ))}
    </g>
  );
}

/** Each lock has a row of its own within a lane, the same in every lane. */
function rowOf(resource: string, y: number, { resources }: Place): { readonly top: number; readonly height: number } {
  const height = BARS / Math.max(1, resources.length);
  return { top: y + 5 + height * Math.max(0, resources.indexOf(resource)), height };
}

type BarProps = {
  stretch: Stretch & { readonly resource: string };
  y: number;
  text: string;
  holder: string;
  place: Place;
};

function Bar({ stretch, y, text, holder, place }: BarProps) {
  const x = place.x(stretch.fromMs);
  const width = Math.max(2, place.x(stretch.untilMs) - x);
  const { top, height } = rowOf(stretch.resource, y, place);
  const hue = place.hues.get(holder) ?? 0;
  return (
    <g>
      <rect
        {...{ x, width, y: top, height: height - 1, rx: 3 }}
        fill={`oklch(var(--token-lightness) var(--token-chroma) ${hue} / 0.35)`}
        stroke={`oklch(var(--token-lightness) var(--token-chroma) ${hue})`}
      />
      {width > 8 * text.length && (
        <text x={x + 6} y={top + height / 2 + 3.5} fontSize={Math.min(FONT, height - 1)} fill="var(--ink)">
          {text}
        </text>
      )}
    </g>
  );
}

/** Two clients believe to hold one lock. @param tops of their lanes */
export function OverlapMark({ overlap, tops, x }: { overlap: Stretch; tops: readonly number[]; x: Place["x"] }) {
  const from = x(overlap.fromMs);
  const width = Math.max(3, x(overlap.untilMs) - from);
  return (
    <g>
      {tops.map((top) => (
        <rect
          key={top}
          {...{ x: from, width, y: top + ROW - 10, height: 8 }}
          fill="url(#lab-hatch)"
          stroke="var(--bad)"
        />
      ))}
      <text x={from + 4} y={Math.min(...tops) + 3} fontSize="12" fontWeight="600" fill="var(--bad)">
        two holders
      </text>
    </g>
  );
}
