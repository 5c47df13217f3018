import clsx from "clsx";
import type { CSSProperties } from "react";
import { quorumOf } from "@/lib/redlock";
import { toneOf } from "./exchange";
import { seconds } from "./lab-words";
import type { SceneBelief, SceneClient, SceneNode } from "./scene";
import { linkWords } from "./scene-links";

type Hues = ReadonlyMap<string, number>;

function Swatch({ holder, hues }: { readonly holder: string; readonly hues: Hues }) {
  const hue = hues.get(holder);
  if (hue === undefined) return <span aria-hidden className="hatch inline-block size-2.5 rounded-sm" />;
  return (
    <span
      aria-hidden
      className="token-fill inline-block size-2.5 rounded-sm"
      style={{ "--token-hue": hue } as CSSProperties}
    />
  );
}

/** One node as it was last seen. */
export function NodeCard({ node: { name, state, keys }, hues }: { readonly node: SceneNode; readonly hues: Hues }) {
  const look = { up: "border-line", paused: "border-risk border-dashed", down: "border-line border-dashed bg-track" };
  return (
    <li className="grid md:py-1">
      <div className={clsx("min-w-0 rounded-lg border px-2.5 py-1.5", look[state])}>
        <p className="flex items-baseline justify-between gap-2">
          <b className="font-semibold">node {name}</b>
          <span className={state === "up" ? "text-ok" : state === "paused" ? "text-risk" : "text-mute"}>{state}</span>
        </p>
        {keys.length === 0 && <p className="text-[13px] text-mute">no lock</p>}
        {keys.map(({ resource, holder, expiry }) => (
          <p key={resource} className="flex flex-wrap items-center gap-x-1.5 text-[13px] [overflow-wrap:anywhere]">
            <ExpiryRing share={expiry?.share ?? 1} hue={hues.get(holder)} />
            {resource} <code>{holder}</code>
            <span className="text-mute tabular-nums">{leftWords(expiry)}</span>
          </p>
        ))}
      </div>
    </li>
  );
}

function leftWords(expiry: SceneNode["keys"][number]["expiry"]): string {
  if (expiry === null) return "no end";
  // A paused node is seen with its key until it goes on.
  return expiry.leftMs > 0 ? `${seconds(expiry.leftMs)} left` : "its time is over";
}

const RADIUS = 6;
const ROUND = 2 * Math.PI * RADIUS;

/** Drains as the time of a key runs out; grey for a token that no client was granted. The words beside it say the same. */
function ExpiryRing({ share, hue }: { readonly share: number; readonly hue: number | undefined }) {
  const stroke = hue === undefined ? "var(--mute)" : `oklch(var(--token-lightness) var(--token-chroma) ${hue})`;
  return (
    <svg aria-hidden viewBox="0 0 16 16" data-share={share.toFixed(3)} className="-rotate-90 size-4 shrink-0">
      <circle cx={8} cy={8} r={RADIUS} fill="none" stroke="var(--track)" strokeWidth={3} />
      <circle
        {...{ cx: 8, cy: 8, r: RADIUS, stroke, strokeWidth: 3 }}
        fill="none"
        strokeDasharray={`${ROUND * share} ${ROUND}`}
      />
    </svg>
  );
}

/** What a client believes, above what the nodes say of it. */
export function ClientCard({
  client,
  n,
  hues,
}: {
  readonly client: SceneClient;
  readonly n: number;
  readonly hues: Hues;
}) {
  const { name, text, beliefs, exchange, links } = client;
  return (
    <li className="grid md:py-1">
      <div className="min-w-0 rounded-lg border border-line px-2.5 py-1.5">
        <p>
          <b className="font-semibold">client {name}</b> <span className="text-[13px] text-mute">{text}</span>
        </p>
        {beliefs.length === 0 && <p>I believe: nothing is mine.</p>}
        {beliefs.map((belief) => (
          <Belief key={`${belief.resource} ${belief.holder}`} belief={belief} n={n} hues={hues} />
        ))}
        {links.length > 0 && (
          <p className="text-[13px] text-risk">
            Its links: <span className="text-ink">{linkWords(links)}</span>
          </p>
        )}
        {exchange !== null && (
          <p className="mt-0.5 text-[13px] text-mute [overflow-wrap:anywhere]">
            {exchange.about}:{" "}
            {exchange.hasReplies
              ? exchange.votes.map(({ node, kind }, index) => (
                  <span key={node} className={TEXT[toneOf(kind)]}>
                    {index > 0 && ", "}
                    {node} {kind}
                  </span>
                ))
              : "asking…"}
          </p>
        )}
      </div>
    </li>
  );
}

const TEXT = { yes: "text-ok", no: "text-bad", neutral: "text-mute", silent: "text-mute" } as const;

function Belief({ belief, n, hues }: { readonly belief: SceneBelief; readonly n: number; readonly hues: Hues }) {
  const { resource, holder, untilMs, left, heldOn } = belief;
  const isTrue = heldOn >= quorumOf(n);
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-1.5">
        <Swatch holder={holder} hues={hues} />
        <span>
          I believe: <b className="font-semibold">{resource}</b> is mine until {seconds(untilMs)}.
        </span>
      </p>
      <div aria-hidden className="my-0.5 h-1.5 overflow-hidden rounded-full bg-track">
        <div
          className="token-fill h-full"
          style={{ "--token-hue": hues.get(holder) ?? 0, width: `${100 * left}%` } as CSSProperties}
        />
      </div>
      <p className={isTrue ? "text-mute" : "font-semibold text-bad"}>
        The nodes say: {heldOn} of {n} have its token{isTrue ? ", a majority." : ", no majority."}
      </p>
    </>
  );
}
