"use client";

import { Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type ApiError, acquireLock, asApiError } from "@/lib/client";
import type { AcquireAnswer, AcquireBody } from "@/lib/contract";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { AcquireForm } from "./acquire-form";
import { AcquireResult } from "./acquire-result";
import { useBlockedReason } from "./use-blocked-reason";

type ButtonProps = {
  readonly children: ReactNode;
  readonly look?: "plain" | "primary";
  /** Filled in already. */
  readonly resource?: string;
};

/** The button and its dialog. */
export function AcquireButton({ children, look = "plain", resource = "" }: ButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const blocked = useBlockedReason();
  return (
    <>
      <Button look={look} disabledReason={blocked} onClick={() => setIsOpen(true)}>
        <Plus aria-hidden className="size-4" />
        {children}
      </Button>
      <AcquireDialog isOpen={isOpen} onOpenChange={setIsOpen} resource={resource} />
    </>
  );
}

type DialogProps = {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly resource: string;
};

/** Acquires a lock by hand and shows every node's vote. The lock outlives the dialog: it waits in the tray below. */
export function AcquireDialog({ isOpen, onOpenChange, resource }: DialogProps) {
  return (
    <Dialog
      title="Acquire a lock"
      description="All nodes are asked at once; a majority of grants wins."
      isOpen={isOpen}
      onOpenChange={onOpenChange}
    >
      <AcquireSteps resource={resource} onClose={() => onOpenChange(false)} />
    </Dialog>
  );
}

type Step =
  | { readonly kind: "asking" }
  | { readonly kind: "waiting" }
  | { readonly kind: "failed"; readonly error: ApiError }
  | { readonly kind: "answered"; readonly answer: AcquireAnswer };

function AcquireSteps({ resource, onClose }: { readonly resource: string; readonly onClose: () => void }) {
  const [step, setStep] = useState<Step>({ kind: "asking" });
  const submit = async (body: AcquireBody) => {
    setStep({ kind: "waiting" });
    try {
      setStep({ kind: "answered", answer: await acquireLock(body) });
    } catch (cause) {
      setStep({ kind: "failed", error: asApiError(cause) });
    }
  };
  const isAnswered = step.kind === "answered";
  return (
    <>
      {isAnswered && (
        <AcquireResult answer={step.answer} onAgain={() => setStep({ kind: "asking" })} onClose={onClose} />
      )}
      {/* Kept mounted behind a refusal, so that "try again" finds what was typed. */}
      <div hidden={isAnswered}>
        <AcquireForm
          resource={resource}
          isWaiting={step.kind === "waiting"}
          error={step.kind === "failed" ? step.error : null}
          onSubmit={(body) => void submit(body)}
          onCancel={onClose}
        />
      </div>
    </>
  );
}
