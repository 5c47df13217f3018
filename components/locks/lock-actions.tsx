"use client";

import { useState } from "react";
import { type Received, useHeldLocks } from "@/lib/client";
import type { LockDetail } from "@/lib/contract";
import { Button } from "../ui/button";
import { AcquireButton } from "./acquire-dialog";
import type { TakeAwayVerb } from "./take-away";
import { TakeAwayDialog } from "./take-away-dialog";
import { useBlockedReason } from "./use-blocked-reason";
import { useLiveVerdict } from "./use-live-verdict";

/** What makes sense in the present state, and nothing else. A lock held in this tab is extended and released in the tray. */
export function LockActions({ lock }: { readonly lock: Received<LockDetail> }) {
  const [verb, setVerb] = useState<TakeAwayVerb | null>(null);
  const verdict = useLiveVerdict(lock);
  const blocked = useBlockedReason();
  const isMine = useHeldLocks().some(({ id, fingerprint }) => {
    return id === lock.value.id && fingerprint === lock.value.holder?.fingerprint;
  });
  const hasToken = lock.value.nodes.some(({ reading }) => reading === "token");
  const canAcquire = verdict.kind === "free" || verdict.kind === "leftover" || verdict.kind === "split";
  return (
    <div className="flex flex-wrap items-center gap-2">
      {isMine && <span className="text-[13px] text-mute">Yours: extend or release it below</span>}
      {canAcquire && (
        <AcquireButton look={verdict.kind === "free" ? "primary" : "plain"} resource={lock.value.resource}>
          Acquire…
        </AcquireButton>
      )}
      {hasToken && !lock.value.revoked && (
        <Button disabledReason={blocked} onClick={() => setVerb("revoke")}>
          Revoke…
        </Button>
      )}
      {hasToken && (
        <Button look="danger" disabledReason={blocked} onClick={() => setVerb("force-expire")}>
          Force-expire…
        </Button>
      )}
      <TakeAwayDialog lock={lock} verb={verb} onVerb={setVerb} />
    </div>
  );
}
