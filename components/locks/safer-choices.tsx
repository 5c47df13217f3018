"use client";

import { Hourglass, ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import type { Received } from "@/lib/client";
import type { LockDetail } from "@/lib/contract";
import { Button } from "../ui/button";
import { TimeLeft } from "../ui/time-left";
import type { TakeAwayAnswer, TakeAwayVerb } from "./take-away";

type Props = {
  readonly verb: TakeAwayVerb;
  readonly preview: TakeAwayAnswer;
  readonly lock: Received<LockDetail>;
  readonly onInstead: () => void;
};

/** The safer ways, safest first. */
export function SaferChoices({ verb, preview, lock, onInstead }: Props) {
  const { freeFromMs, revoked } = lock.value;
  const isHarmless = preview.answer.oldHolderMayActForMs === 0;
  const canRevoke = verb === "force-expire" && !revoked && !isHarmless;
  return (
    <ul aria-label="Safer choices" className="grid gap-1.5 text-[13.5px]">
      <Choice icon={<Hourglass aria-hidden className="size-4" />}>
        <b>Safest: wait.</b>{" "}
        {freeFromMs === null ? (
          "But no end is known: it does not become free by itself."
        ) : (
          <>
            Unless it is renewed, it becomes free by itself in{" "}
            <TimeLeft remainingMs={freeFromMs} takenAt={lock.takenAt} over="a moment" />.
          </>
        )}
      </Choice>
      {canRevoke && (
        <Choice icon={<ShieldCheck aria-hidden className="size-4" />}>
          <b>Safer: revoke.</b> The holder cannot renew, and nobody gets in while it may still believe.{" "}
          <Button size="small" className="ml-1" onClick={onInstead}>
            Revoke instead
          </Button>
        </Choice>
      )}
    </ul>
  );
}

function Choice({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <li className="grid grid-cols-[auto_1fr] items-start gap-2 rounded-lg bg-ok-soft px-3 py-2">
      <span className="mt-0.5 text-ok">{icon}</span>
      <span>{children}</span>
    </li>
  );
}
