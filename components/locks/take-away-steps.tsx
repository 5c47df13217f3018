"use client";

import { useEffect, useState } from "react";
import { type ApiError, asApiError, forceExpireLock, type Received, revokeLock } from "@/lib/client";
import type { LockDetail } from "@/lib/contract";
import { Consequences, OldHolder } from "./consequences";
import { SaferChoices } from "./safer-choices";
import type { TakeAwayAnswer, TakeAwayVerb } from "./take-away";
import { TakeAwayDecision } from "./take-away-decision";
import { TakeAwayResult } from "./take-away-result";
import { TakeAwayTrouble } from "./take-away-trouble";
import { TokenChoice } from "./token-choice";

type Props = {
  readonly verb: TakeAwayVerb;
  readonly lock: Received<LockDetail>;
  /** Tokens seen on the nodes, the holder's first. */
  readonly tokens: readonly string[];
  readonly onInstead: () => void;
  readonly onLookAgain: () => void;
  readonly onClose: () => void;
};

type Step =
  | { readonly kind: "looking" }
  | { readonly kind: "failed"; readonly error: ApiError }
  | { readonly kind: "deciding"; readonly preview: TakeAwayAnswer }
  | { readonly kind: "acting"; readonly preview: TakeAwayAnswer }
  | { readonly kind: "done"; readonly result: TakeAwayAnswer };

/** The server wants a reason with every request; a dry run is not recorded as an action. */
const DRY_RUN_REASON = "dry run: what would happen";

/** Dry run, decision with a reason, result per node. */
export function TakeAwaySteps({ verb, lock, tokens, onInstead, onLookAgain, onClose }: Props) {
  const { id, resource } = lock.value;
  const [fingerprint, setFingerprint] = useState(tokens[0] ?? null);
  const [tokensSeen] = useState(tokens);
  const [step, setStep] = useState<Step>({ kind: "looking" });
  useEffect(() => {
    if (fingerprint === null) return;
    let isCurrent = true;
    setStep({ kind: "looking" });
    send(verb, id, { fingerprint, reason: DRY_RUN_REASON, dryRun: true }).then(
      (preview) => isCurrent && setStep({ kind: "deciding", preview }),
      (cause) => isCurrent && setStep({ kind: "failed", error: asApiError(cause) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [verb, id, fingerprint]);
  const act = async (preview: TakeAwayAnswer, reason: string) => {
    if (fingerprint === null) return;
    setStep({ kind: "acting", preview });
    try {
      setStep({ kind: "done", result: await send(verb, id, { fingerprint, reason, dryRun: false }) });
    } catch (cause) {
      setStep({ kind: "failed", error: asApiError(cause) });
    }
  };

  if (fingerprint === null) return <p>No node holds a token of this lock any more: there is nothing to take away.</p>;
  switch (step.kind) {
    case "looking":
      return <p role="status">Asking every node what would happen…</p>;
    case "failed":
      return <TakeAwayTrouble error={step.error} onLookAgain={onLookAgain} onClose={onClose} />;
    case "done":
      return <TakeAwayResult verb={verb} result={step.result} onClose={onClose} />;
    case "deciding":
    case "acting":
      return (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <TokenChoice tokens={tokensSeen} chosen={fingerprint} onChoose={setFingerprint} />
          <SaferChoices verb={verb} preview={step.preview} lock={lock} onInstead={onInstead} />
          <Consequences given={step.preview} />
          <OldHolder given={step.preview} verb={verb} />
          <TakeAwayDecision
            verb={verb}
            resource={resource}
            isActing={step.kind === "acting"}
            onAct={(reason) => void act(step.preview, reason)}
            onClose={onClose}
          />
        </div>
      );
    default:
      return step satisfies never;
  }
}

async function send(verb: TakeAwayVerb, id: string, body: Parameters<typeof revokeLock>[1]): Promise<TakeAwayAnswer> {
  const answer = verb === "revoke" ? await revokeLock(id, body) : await forceExpireLock(id, body);
  return { answer, takenAt: performance.now() };
}
