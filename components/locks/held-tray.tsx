"use client";

import { KeyRound } from "lucide-react";
import Link from "next/link";
import { useEffect } from "react";
import { toast } from "sonner";
import { type HeldLock, useHeldLocks } from "@/lib/client";
import { HeldLockControls } from "./held-lock-controls";
import { useHeldState } from "./use-held-state";

/** Locks this tab holds, on every page until they are released: closing a dialog must not lose the right to release. */
export function HeldTray() {
  const locks = useHeldLocks();
  if (locks.length === 0) return null;
  return (
    <section
      aria-label="Held here"
      className="sticky bottom-0 z-20 border-line border-t bg-raised shadow-[0_-6px_20px_rgb(0_0_0/0.08)]"
    >
      <details open className="mx-auto max-w-[1240px] px-4 py-2 md:px-6">
        <summary className="flex min-h-7 items-center gap-2 font-semibold text-[13px]">
          <KeyRound aria-hidden className="size-4 text-ok" />
          Held here: {locks.length === 1 ? "1 lock" : `${locks.length} locks`}
          <span className="font-normal text-mute">· leaving this tab loses the right to release</span>
        </summary>
        <ul className="max-h-48 divide-y divide-line overflow-y-auto">
          {locks.map((held) => (
            <TrayRow key={held.token} held={held} />
          ))}
        </ul>
      </details>
    </section>
  );
}

function TrayRow({ held }: { readonly held: HeldLock }) {
  const isHeld = useHeldState(held).kind !== "ended";
  useEffect(() => {
    if (!isHeld) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isHeld]);
  return (
    <li className="grid items-center gap-x-4 gap-y-1 py-2 md:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
      <span className="min-w-0 truncate">
        <Link
          href={`/locks/${held.id}`}
          className="inline-block min-h-6 py-0.5 font-mono underline-offset-4 hover:underline"
        >
          {held.resources.join(", ")}
        </Link>
        {held.note !== null && <span className="text-mute"> · {held.note}</span>}
      </span>
      <HeldLockControls held={held} onEnd={(what) => toast(`${held.resources.join(", ")}: ${what}`)} />
    </li>
  );
}
