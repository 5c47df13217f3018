"use client";

import { type Received, silentNodes } from "@/lib/client";
import type { LockDetail } from "@/lib/contract";
import { Badge } from "../ui/badge";
import { CopyButton } from "../ui/copy-button";
import { ClientName } from "./lock-cells";
import { LockPips } from "./pips";
import { useLiveVerdict } from "./use-live-verdict";
import { VerdictBadge } from "./verdict-badge";
import { arithmeticOf, VERDICT_LOOKS } from "./verdicts";

const REVOKED = "An operator took it away: nobody holds it any more, and others are kept out until its time is over.";

/** The verdict first, with the sum behind it; then who. */
export function LockHeadline({ lock }: { readonly lock: Received<LockDetail> }) {
  const { value } = lock;
  const verdict = useLiveVerdict(lock);
  return (
    <section aria-label="Verdict" className="rounded-xl border border-line bg-panel px-4 py-3.5">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <VerdictBadge lock={lock} isLarge />
        <span className="mr-6 origin-left scale-125 pl-1">
          <LockPips lock={lock} />
        </span>
        {value.noExpiry && <Badge tone="bad">no expiry</Badge>}
        {value.revoked && <Badge tone="unk">revoked</Badge>}
        {value.ownedByConsole !== null && !value.revoked && (
          <Badge tone="accent">held by this console{value.ownedByConsole.keepAlive ? ", kept alive" : ""}</Badge>
        )}
      </div>
      <p className="mt-2">
        {value.revoked ? REVOKED : VERDICT_LOOKS[verdict.kind].meaning}{" "}
        <span className="text-mute">{arithmeticOf(verdict, value.n, silentNodes(value))}.</span>
      </p>
      {value.holder !== null && (
        <p className="mt-1 text-mute">
          {verdict.kind === "leftover" || value.revoked ? "Token" : "Holder"}{" "}
          <code className="text-ink">{value.holder.fingerprint}</code>
          <CopyButton text={value.holder.fingerprint} what="fingerprint" />
          {value.holder.label !== null && <span className="text-ink"> {value.holder.label}</span>}
          {!value.revoked && (
            <>
              {" "}
              · written by{" "}
              <span className="text-ink">
                <ClientName lock={lock.value} />
              </span>
            </>
          )}
        </p>
      )}
      {value.ownedByConsole?.note != null && <p className="mt-1 text-mute">Note: {value.ownedByConsole.note}</p>}
    </section>
  );
}
