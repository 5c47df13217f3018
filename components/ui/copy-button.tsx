"use client";

import { Check, Copy } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";

const SHOWN_MS = 1500;

type Props = {
  readonly text: string;
  /** What is copied, for example "resource". */
  readonly what: string;
  readonly children?: ReactNode;
};

/** Copies a text and says so. */
export function CopyButton({ text, what, children }: Props) {
  const [state, setState] = useState<"idle" | "copied" | "refused">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState("copied"),
      () => setState("refused"),
    );
  const Icon = state === "copied" ? Check : Copy;
  return (
    <button
      type="button"
      onClick={() => void copy()}
      title={`Copy ${what}`}
      className="inline-flex min-h-6 min-w-6 items-center justify-center gap-1 rounded-md px-1 align-middle font-sans text-[13px] text-mute hover:bg-hover hover:text-ink"
    >
      <Icon aria-hidden className="size-3.5" />
      {children ?? <span className="sr-only">Copy {what}</span>}
      <span aria-live="polite" className={state === "refused" ? "text-bad" : "sr-only"}>
        {state === "copied" && `${what} copied`}
        {state === "refused" && "the browser refused; select and copy by hand"}
      </span>
    </button>
  );
}
