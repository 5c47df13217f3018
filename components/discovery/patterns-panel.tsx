import type { DiscoveryAnswer } from "@/lib/contract";
import { CopyButton } from "../ui/copy-button";
import { Panel } from "../ui/panel";

/** The line of settings that makes the console read what looks like locks, or why there is none to set. */
export function PatternsPanel({ answer }: { readonly answer: DiscoveryAnswer }) {
  const { patterns, current } = answer;
  return (
    <Panel title="Setting">
      {patterns === null ? (
        <p>{nothingToSet(answer)}</p>
      ) : (
        <>
          <p>
            Start the console with this line in its environment, and it reads these groups
            {current === null ? " and no other keys." : " too; what is set now is in it."}
          </p>
          <div className="mt-2 flex items-start gap-2 rounded-lg border border-line bg-bg px-3 py-2">
            <code className="min-w-0 flex-1 break-all font-mono">{patterns}</code>
            <CopyButton text={patterns} what="line" />
          </div>
        </>
      )}
      <p className="mt-2 text-[13px] text-mute">
        {current === null ? (
          <>
            Now <code className="font-mono">REDLOCK_KEY_PATTERNS</code> is not set: the console reads every key.
            Narrower patterns are less work for the nodes, but locks that fit none of them are not seen.
          </>
        ) : (
          <>
            Now it is set to <code className="break-all font-mono">{current.join(" ")}</code>.
          </>
        )}
      </p>
    </Panel>
  );
}

function nothingToSet({ groups }: DiscoveryAnswer): string {
  const locks = groups.filter(({ looksLikeLock }) => looksLikeLock !== "no");
  if (locks.length === 0) {
    return "No group looks like locks, so there is nothing to set. Locks come and go: sample again while your clients are at work, or describe your own in REDLOCK_LAYOUTS.";
  }
  return locks.every(({ covered, keys }) => covered === keys)
    ? "Nothing has to be set: the console reads every group that looks like locks already."
    : "No pattern tells the groups that look like locks from other keys: leave REDLOCK_KEY_PATTERNS unset to see them.";
}
