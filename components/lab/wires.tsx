import type { SceneWires, Wire } from "./scene";
import type { LinkLook } from "./scene-links";

const STROKE = {
  asked: "var(--accent)",
  yes: "var(--ok)",
  no: "var(--bad)",
  neutral: "var(--edge)",
  silent: "var(--edge)",
} as const;
const DASH = { asked: "6 4", yes: undefined, no: undefined, neutral: undefined, silent: "2 5" } as const;

/** How a link that is not open is drawn: which part of it, seen from the node, and how. */
const LINK = {
  cut: {
    parts: [
      [0, 36],
      [64, 100],
    ],
    dash: undefined,
    width: 3,
    stroke: "var(--bad)",
  },
  refused: { parts: [[12, 100]], dash: undefined, width: 1.5, stroke: "var(--bad)" },
  deaf: { parts: [[0, 100]], dash: "10 3 2 3", width: 2, stroke: "var(--risk)" },
  late: { parts: [[0, 100]], dash: "1 6", width: 3, stroke: "var(--mute)" },
} as const satisfies Record<LinkLook, object>;

/** More words than that hide the lines; the cards have all of them. */
const WORDS_MAX = 12;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** What is between nodes and clients: requests, replies, and what is wrong with the way. Said in words on the cards, so not for a screen reader. */
export function Wires({ wires: { wires, links, nodes, clients } }: { readonly wires: SceneWires }) {
  /** @param t 0 at the node, 100 at the client */
  const at = ({ client, node }: Pick<Wire, "client" | "node">, t: number): Point => {
    const [from, to] = [(100 * (node + 0.5)) / nodes, (100 * (client + 0.5)) / clients];
    return { x: t, y: from + ((to - from) * t) / 100 };
  };
  const line = (of: Pick<Wire, "client" | "node">, from = 0, to = 100) => {
    const [a, b] = [at(of, from), at(of, to)];
    return { x1: a.x, y1: a.y, x2: b.x, y2: b.y, vectorEffect: "non-scaling-stroke" };
  };
  // Through a hole nothing is seen to pass.
  const passes = ({ client, node }: Wire) =>
    !links.some((link) => link.client === client && link.node === node && ["cut", "refused"].includes(link.look));
  return (
    <div className="relative hidden min-h-24 md:block">
      <svg
        aria-hidden
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        className="absolute inset-0 size-full overflow-visible"
      >
        {links.flatMap(({ look, ...link }) =>
          LINK[look].parts.map(([from, to]) => (
            <line
              key={`link ${link.client} ${link.node} ${from}`}
              {...line(link, from, to)}
              data-link={look}
              stroke={LINK[look].stroke}
              strokeWidth={LINK[look].width}
              strokeDasharray={LINK[look].dash}
              strokeLinecap="round"
            />
          )),
        )}
        {wires.filter(passes).map(({ tone, ...wire }) => (
          <line
            key={`${wire.client} ${wire.node}`}
            {...line(wire)}
            stroke={STROKE[tone]}
            strokeWidth={tone === "silent" ? 1.5 : 2}
            strokeDasharray={DASH[tone]}
          />
        ))}
      </svg>
      {links.length <= WORDS_MAX &&
        links.map(({ look, text, ...link }) => {
          // Words of different clients lie at different heights of their lines, so that they do not cover each other.
          const { x, y } = at(link, look === "refused" ? 14 : 34 + (32 * (link.client + 0.5)) / clients);
          return (
            <span
              aria-hidden
              key={`${link.client} ${link.node}`}
              style={{ left: `${x}%`, top: `${y}%` }}
              className="-translate-x-1/2 -translate-y-1/2 absolute whitespace-nowrap rounded border border-line bg-panel px-1 text-[11px] text-ink leading-4"
            >
              {look === "refused" || look === "cut" ? "✕ " : ""}
              {text}
            </span>
          );
        })}
    </div>
  );
}
