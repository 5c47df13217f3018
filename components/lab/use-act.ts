import { useState } from "react";
import { asApiError } from "@/lib/client";

/** Does one thing at a time. */
export interface Act {
  readonly isBusy: boolean;
  /** What went wrong, and what to do about it. */
  readonly problem: string | null;
  readonly act: (work: () => Promise<void>) => void;
}

/** Keeps what a button needs to know of the request it has sent. */
export function useAct(): Act {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const act = async (work: () => Promise<void>) => {
    setIsBusy(true);
    setProblem(null);
    try {
      await work();
    } catch (cause) {
      const { message, nextStep } = asApiError(cause);
      setProblem(`${message} ${nextStep}`);
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, problem, act: (work) => void act(work) };
}
