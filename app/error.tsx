"use client";

import { Button } from "@/components/ui/button";

type Props = { readonly error: Error & { readonly digest?: string }; readonly reset: () => void };

export default function PageError({ error, reset }: Props) {
  return (
    <div role="alert" className="grid justify-items-start gap-2 rounded-xl border border-bad bg-bad-soft p-6">
      <h1 className="font-semibold text-[20px] text-bad">This page broke</h1>
      <p>
        That is a fault of the console, not of a lock; nothing was changed by it.
        {error.digest !== undefined && ` Its log has the cause under ${error.digest}.`}
      </p>
      <Button onClick={reset}>Try again</Button>
    </div>
  );
}
