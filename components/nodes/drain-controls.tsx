"use client";

import { useState } from "react";
import { asApiError, undrainNode } from "@/lib/client";
import type { ClusterNode } from "@/lib/contract";
import { Button } from "../ui/button";
import { DrainDialog } from "./drain-dialog";
import { nodeLook } from "./node-looks";

type Props = {
  readonly node: ClusterNode;
  /** Voting nodes more than the quorum needs; what is left of it when this one is drained is one less. */
  readonly canLose: number;
  /** Why nothing may be done now; null when it may. */
  readonly blocked: string | null;
};

/** Takes a voting node out for a planned restart, and puts it back. Nothing where neither makes sense. */
export function DrainControls({ node, canLose, blocked }: Props) {
  const [isAsking, setIsAsking] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  if (!nodeLook(node).isVoting && !node.undrainable) return null;
  const undrain = async () => {
    setIsBusy(true);
    setProblem(null);
    try {
      const { outcome, reason } = await undrainNode(node.id);
      if (outcome === "refused") setProblem(`Not back yet: ${reason ?? "no reason given"}.`);
    } catch (cause) {
      const error = asApiError(cause);
      setProblem(`${error.message} ${error.nextStep}`);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2">
      {node.undrainable ? (
        <Button size="small" disabledReason={blocked ?? (isBusy ? "in progress" : null)} onClick={() => void undrain()}>
          Undrain<span className="sr-only"> node {node.id}</span>
        </Button>
      ) : (
        <Button size="small" disabledReason={blocked} onClick={() => setIsAsking(true)}>
          Drain…<span className="sr-only"> node {node.id}</span>
        </Button>
      )}
      {problem !== null && (
        <p role="alert" className="text-[13px] text-bad">
          {problem}
        </p>
      )}
      {isAsking && <DrainDialog node={node.id} canLose={canLose} onOpenChange={setIsAsking} />}
    </div>
  );
}
