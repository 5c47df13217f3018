"use client";

import { CircleCheck, CircleX } from "lucide-react";
import Link from "next/link";
import { useHeldLocks } from "@/lib/client";
import type { AcquireAnswer } from "@/lib/contract";
import { Button } from "../ui/button";
import { CopyButton } from "../ui/copy-button";
import { DialogActions } from "../ui/dialog";
import { HeldLockControls } from "./held-lock-controls";
import { VotesTable } from "./votes-table";

type Props = {
  readonly answer: AcquireAnswer;
  readonly onAgain: () => void;
  readonly onClose: () => void;
};

/** What the nodes said; after a win also the token, once, and the lock's countdown. */
export function AcquireResult({ answer, onAgain, onClose }: Props) {
  const { lock } = answer;
  const held = useHeldLocks().find(({ token }) => token === lock?.token);
  const tries = answer.attempts === 1 ? "" : ` after ${answer.attempts} attempts`;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div role="status" className={`rounded-lg px-3.5 py-3 ${lock === null ? "bg-bad-soft" : "bg-ok-soft"}`}>
        <p className={`flex items-center gap-2 font-semibold ${lock === null ? "text-bad" : "text-ok"}`}>
          {lock === null ? <CircleX aria-hidden className="size-4" /> : <CircleCheck aria-hidden className="size-4" />}
          {lock === null ? `Not acquired${tries}` : `Acquired${tries}`}
        </p>
        {answer.reason !== null && <p className="mt-1">{answer.reason}</p>}
      </div>
      {lock !== null && (
        <>
          <div className="min-w-0">
            <p className="font-semibold">
              Token <span className="font-normal text-mute">· shown only now; it is the right to release</span>
            </p>
            <p className="flex items-center gap-1">
              <code className="break-all">{lock.token}</code>
              <CopyButton text={lock.token} what="token" />
            </p>
          </div>
          {lock.fencingToken !== null && (
            <p>
              <span className="font-semibold">Fencing token</span> <code>{lock.fencingToken}</code>
              <CopyButton text={String(lock.fencingToken)} what="fencing token" />
            </p>
          )}
          {held === undefined ? (
            <p className="text-mute">You no longer hold it.</p>
          ) : (
            <HeldLockControls held={held} onEnd={() => undefined} />
          )}
        </>
      )}
      <VotesTable votes={answer.votes} />
      <DialogActions>
        {lock === null ? (
          <Button look="primary" onClick={onAgain}>
            Change and try again
          </Button>
        ) : (
          <Link
            href={`/locks/${lock.id}`}
            onClick={onClose}
            className="inline-flex min-h-9 items-center rounded-lg border border-line px-3.5 font-semibold hover:bg-hover"
          >
            Open its page
          </Link>
        )}
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </div>
  );
}
