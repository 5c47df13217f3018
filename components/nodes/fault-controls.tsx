"use client";

import { useState } from "react";
import { asApiError, healFault, setFault } from "@/lib/client";
import type { ClusterNode, FaultBody } from "@/lib/contract";
import { Button } from "../ui/button";
import { StartEmptyDialog } from "./start-empty-dialog";

type Fault = FaultBody["fault"];

/** All of them are real: signals to the process, or bytes held back on its connection. */
const FAULTS: readonly { readonly fault: Fault; readonly label: string; readonly meaning: string }[] = [
  { fault: "stop", label: "Stop", meaning: "SIGTERM: it ends in order and stays stopped" },
  { fault: "kill", label: "Kill", meaning: "SIGKILL: it dies at once" },
  { fault: "pause", label: "Pause", meaning: "SIGSTOP: it hangs, its connections stay open" },
  { fault: "slow", label: "Slow", meaning: "Its answers come late" },
  { fault: "partition", label: "Partition", meaning: "Nothing passes between the console and it" },
];

type Props = {
  readonly node: ClusterNode;
  /** How long the node is kept out when it starts empty, milliseconds; 0 when it is not. */
  readonly quarantineMs: number;
  /** Why nothing may be done now; null when it may. */
  readonly blocked: string | null;
};

/** Faults for an embedded node, and the way back: only what makes sense in its present state. */
export function FaultControls({ node, quarantineMs, blocked }: Props) {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [isAskingEmpty, setIsAskingEmpty] = useState(false);
  const run = async (act: () => Promise<void>) => {
    setIsBusy(true);
    setProblem(null);
    try {
      await act();
    } catch (cause) {
      const error = asApiError(cause);
      setProblem(`${error.message} ${error.nextStep}`);
    } finally {
      setIsBusy(false);
    }
  };
  const disabledReason = blocked ?? (isBusy ? "in progress" : null);
  const button = (label: string, act: () => Promise<void>, title?: string) => (
    <Button key={label} size="small" title={title} disabledReason={disabledReason} onClick={() => void run(act)}>
      {label}
      <span className="sr-only"> node {node.id}</span>
    </Button>
  );
  const process = node.process;
  if (process === null) return null;
  const isEnded = process.state === "stopped" || process.state === "killed" || process.state === "dead";
  const heal = process.state === "paused" ? "Resume" : "Heal the connection";
  const isHealable = process.state === "paused" || (process.state === "running" && process.link !== "open");
  return (
    <div className="mt-auto pt-2">
      <div className="flex flex-wrap gap-1.5 border-line border-t pt-3">
        {isHealable && button(heal, () => healFault(node.id))}
        {isEnded && button("Start with its data", () => healFault(node.id, "keep"))}
        {isEnded && (
          <Button size="small" disabledReason={disabledReason} onClick={() => setIsAskingEmpty(true)}>
            Start empty…<span className="sr-only"> node {node.id}</span>
          </Button>
        )}
        {process.state === "running" &&
          process.link === "open" &&
          FAULTS.map(({ fault, label, meaning }) => button(label, () => setFault(node.id, fault), meaning))}
        {process.state === "starting" && <p className="text-[13px] text-mute">Starting…</p>}
      </div>
      {problem !== null && (
        <p role="alert" className="mt-2 text-[13px] text-bad">
          {problem}
        </p>
      )}
      <StartEmptyDialog
        node={node.id}
        quarantineMs={quarantineMs}
        isOpen={isAskingEmpty}
        onOpenChange={setIsAskingEmpty}
        onConfirm={() => void run(() => healFault(node.id, "empty"))}
      />
    </div>
  );
}
