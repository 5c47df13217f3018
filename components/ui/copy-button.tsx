"use client";

import { Check, Copy } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";

const SHOWN_MS = 1500;

type Props = {
  /** What is copied; a function is asked at the click, for what is long or changes. */
  readonly text: string | (() => string);
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
  const copy = async () => {
    try {
      // Absent on a page that came over plain HTTP from another machine; that lands below too.
      await navigator.clipboard.writeText(typeof text === "string" ? text : text());
      setState("copied");
    } catch {
      setState("refused"); // said beside the button: the reader can still copy by hand
    }
  };
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
