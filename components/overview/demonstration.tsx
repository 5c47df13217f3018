"use client";

import { Play, Square } from "lucide-react";
import { useState } from "react";
import { asApiError, setDemonstration } from "@/lib/client";
import type { Cluster } from "@/lib/contract";
import { Button } from "../ui/button";

type Props = { readonly cluster: Cluster; readonly isProminent?: boolean };

/** Starts and stops the demonstration clients: real workers with this engine on the embedded cluster. */
export function DemonstrationButton({ cluster, isProminent = false }: Props) {
  const { available, running, clients } = cluster.demonstration;
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const toggle = async () => {
    setIsBusy(true);
    setProblem(null);
    try {
      await setDemonstration(!running);
    } catch (cause) {
      setProblem(asApiError(cause).message);
    } finally {
      setIsBusy(false);
    }
  };
  if (!available) return null;
  const reason = isBusy ? "in progress" : cluster.readOnly ? "this console is read-only" : null;
  return (
    <span className="flex flex-wrap items-center gap-3">
      {running && (
        <span className="text-[13px] text-mute">
          {clients} demonstration {clients === 1 ? "client" : "clients"} at work
        </span>
      )}
      {problem !== null && (
        <span role="alert" className="text-bad">
          {problem}
        </span>
      )}
      <Button look={isProminent ? "primary" : "plain"} disabledReason={reason} onClick={() => void toggle()}>
        {running ? <Square aria-hidden className="size-4" /> : <Play aria-hidden className="size-4" />}
        {running ? "Stop demonstration" : "Start demonstration clients"}
      </Button>
    </span>
  );
}

/** What a newcomer sees first on an empty embedded cluster. */
export function DemonstrationInvitation({ cluster }: { readonly cluster: Cluster }) {
  return (
    <section
      aria-label="Demonstration"
      className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 rounded-xl border border-accent bg-accent-soft px-5 py-4"
    >
      <div className="max-w-prose">
        <p className="font-semibold text-[16px]">No locks yet</p>
        <p>
          Let a few demonstration clients take, hold, extend and sometimes forget locks on these {cluster.n} servers.
          They are real clients; stop them whenever you like.
        </p>
      </div>
      <DemonstrationButton cluster={cluster} isProminent />
    </section>
  );
}
