"use client";

import { useState } from "react";
import { asApiError, extendLock, type HeldLock, heldLocks, releaseLock } from "@/lib/client";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { TimeLeft } from "../ui/time-left";
import { useHeldState } from "./use-held-state";
import { ValidityBar } from "./validity-bar";

type Props = {
  readonly held: HeldLock;
  /** Called with one sentence once the lock is given back: this part of the page is about to vanish. */
  readonly onEnd: (what: string) => void;
};

const EXTENDED = {
  extended: "Extended.",
  lost: "Lost: a majority no longer confirms it.",
  unknown: "Too few nodes answered to know; it keeps the validity it had.",
} as const;

const RELEASED = {
  released: "Released on a majority of the nodes.",
  expired: "It had expired already; nothing was left.",
  lost: "Somebody else holds it now; nothing of theirs was touched.",
  unknown: "Too few nodes answered to know. What is left of it dies by itself; try again.",
} as const;

/** Countdown, extend and release of a lock held in this tab. */
export function HeldLockControls({ held, onEnd }: Props) {
  const state = useHeldState(held);
  const [busy, setBusy] = useState(false);
  const [message, setMessage] = useState<string | null>(null);
  const run = async (act: () => Promise<string>) => {
    setBusy(true);
    try {
      setMessage(await act());
    } catch (cause) {
      const error = asApiError(cause);
      setMessage(`${error.message} ${error.nextStep}`);
    } finally {
      setBusy(false);
    }
  };
  const extend = async () => EXTENDED[(await extendLock(held)).outcome];
  const release = async () => {
    const sentence = RELEASED[(await releaseLock(held)).outcome];
    onEnd(sentence);
    return sentence;
  };
  const busyReason = busy ? "the nodes are being asked" : null;
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <HeldClock held={held} />
        {held.keepAlive && state.kind !== "ended" && <Badge tone="accent">kept alive by the console</Badge>}
        <span className="ml-auto flex gap-2">
          {state.kind === "ended" ? (
            <Button size="small" onClick={() => heldLocks.forget(held.token)}>
              Dismiss
            </Button>
          ) : (
            <>
              <Button size="small" disabledReason={busyReason} onClick={() => void run(extend)}>
                Extend
              </Button>
              <Button size="small" disabledReason={busyReason} onClick={() => void run(release)}>
                Release
              </Button>
            </>
          )}
        </span>
      </div>
      <p role="status" className="text-[13px] text-mute empty:hidden">
        {state.kind === "ended" ? null : message}
      </p>
    </div>
  );
}

function HeldClock({ held }: { readonly held: HeldLock }) {
  const state = useHeldState(held);
  switch (state.kind) {
    case "checking":
      return <span className="text-mute">asking the nodes…</span>;
    case "ended":
      return <span className="font-semibold text-bad">Ended: {state.why}</span>;
    case "held":
      return (
        <span className="flex min-w-40 flex-1 items-center gap-3">
          <ValidityBar
            remainingMs={state.remainingMs}
            takenAt={state.takenAt}
            fullMs={held.ttlMs}
            fill="bg-ok"
            hasDrift
          />
          <span className="font-semibold">
            <TimeLeft remainingMs={state.remainingMs} takenAt={state.takenAt} never="without end" />
          </span>
        </span>
      );
    default:
      return state satisfies never;
  }
}
