import { CircleCheck, CircleDot, CircleHelp, CircleSlash } from "lucide-react";
import type { DiscoveryAnswer } from "@/lib/contract";

type Group = DiscoveryAnswer["groups"][number];
type Props = { readonly group: Group };

/** The word always comes with its icon: never by colour alone. */
const LOOKS = {
  certain: { icon: CircleCheck, word: "Locks", color: "text-ok" },
  probable: { icon: CircleDot, word: "Probably locks", color: "text-accent" },
  possible: { icon: CircleHelp, word: "Possibly locks", color: "text-risk" },
  no: { icon: CircleSlash, word: "Not locks", color: "text-mute" },
} as const;

/** Pattern and examples. */
export function GroupName({ group: { pattern, examples } }: Props) {
  const isOneKey = examples.length === 1 && examples[0] === pattern;
  return (
    <div className="min-w-0">
      <p className="break-all font-mono font-semibold">{pattern}</p>
      {!isOneKey && (
        <p className="text-[13px] text-mute">
          for example <span className="break-all font-mono">{examples.map(shown).join(", ")}</span>
        </p>
      )}
    </div>
  );
}

/** How many, of which type, on which nodes. */
export function GroupNumbers({ group: { keys, type, expiring, nodes } }: Props) {
  const expiry = expiring === 0 ? "never expiring" : expiring === keys ? "expiring" : `${expiring} expiring`;
  return (
    <p className="text-[13px] text-mute">
      {keys.toLocaleString("en-US")} {keys === 1 ? "key" : "keys"} · {type}, {expiry} ·{" "}
      {nodes.length === 1 ? "node" : "nodes"} {nodes.join(", ")}
    </p>
  );
}

/** Whether they look like locks, and whose. */
export function LooksLike({ group: { looksLikeLock, label } }: Props) {
  const { icon: Icon, word, color } = LOOKS[looksLikeLock];
  return (
    <div>
      <p className={`flex items-center gap-1.5 whitespace-nowrap font-semibold ${color}`}>
        <Icon aria-hidden className="size-4 shrink-0" />
        {word}
      </p>
      {label !== null && <p className="text-[13px] text-mute">{label}</p>}
    </div>
  );
}

export function Why({ group: { why } }: Props) {
  return (
    <ul className="grid gap-0.5">
      {why.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  );
}

/** How many of the group's keys the present patterns fit. */
export function Covered({ group: { covered, keys } }: Props) {
  if (covered === 0) return <span className="text-mute">no</span>;
  return covered === keys ? "yes" : `${covered.toLocaleString("en-US")} of ${keys.toLocaleString("en-US")}`;
}

/** A name that is bytes begins with a mark that is no part of it. */
function shown(key: string): string {
  return key.replace(/\p{Cc}/gu, "·");
}
