"use client";

import { CloudOff } from "lucide-react";
import { useConnection } from "@/lib/client";

/** Says that what is on screen is no longer the present. */
export function StaleBanner() {
  const { staleBecause } = useConnection();
  if (staleBecause === null) return null;
  return (
    <div role="alert" className="border-bad border-b bg-bad-soft">
      <p className="mx-auto flex max-w-[1240px] items-start gap-2 px-4 py-2 md:px-6">
        <CloudOff aria-hidden className="mt-0.5 size-4 shrink-0 text-bad" />
        <span>
          <b className="text-bad">What you see is old:</b> {staleBecause}. Countdowns stand still and nothing can be
          changed until it is back; the page keeps trying.
        </span>
      </p>
    </div>
  );
}
