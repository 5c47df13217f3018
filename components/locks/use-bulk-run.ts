import { useEffect, useRef, useState } from "react";
import { type BulkItem, type BulkReport, bulkForceExpire } from "@/lib/client";

/** How far a bulk action has come: dry run, decision, run, result. */
export type BulkStep =
  | { readonly kind: "looking"; readonly done: number }
  | { readonly kind: "deciding"; readonly plan: BulkPlan }
  | {
      readonly kind: "running";
      readonly total: number;
      readonly reports: readonly BulkReport[];
      readonly isStopping: boolean;
    }
  | { readonly kind: "done"; readonly reports: readonly BulkReport[] };

/** What the dry run found: what can be expired, and what is left alone from the start. */
export interface BulkPlan {
  readonly doable: readonly BulkReport[];
  readonly leftAlone: readonly BulkReport[];
}

interface BulkRun {
  readonly step: BulkStep;
  readonly act: (reason: string) => Promise<void>;
  /** Begins nothing more; what was sent is waited for. */
  readonly stop: () => void;
}

/** The server wants a reason with every request; a dry run is not recorded as an action. */
const DRY_RUN_REASON = "dry run: what would happen";

/**
 * Runs a force-expire of many locks.
 *
 * @param items the snapshot; another array is a new look
 * @param onEnd called with the result, also of a run that was stopped
 */
export function useBulkRun(items: readonly BulkItem[], onEnd: (reports: readonly BulkReport[]) => void): BulkRun {
  const [step, setStep] = useState<BulkStep>({ kind: "looking", done: 0 });
  const stopper = useRef<AbortController | null>(null);
  useEffect(() => {
    const look = new AbortController();
    let done = 0;
    setStep({ kind: "looking", done });
    const onReports = (reports: readonly BulkReport[]) => {
      done += reports.length;
      if (!look.signal.aborted) setStep({ kind: "looking", done });
    };
    const options = { reason: DRY_RUN_REASON, dryRun: true };
    void bulkForceExpire(items, options, { signal: look.signal, onReports }).then((reports) => {
      if (!look.signal.aborted) setStep({ kind: "deciding", plan: planOf(reports) });
    });
    return () => look.abort();
  }, [items]);
  // Whoever leaves the page has stopped the run: nobody would see what it does.
  useEffect(() => () => stopper.current?.abort(), []);
  useWarningBeforeLeaving(step.kind === "running");

  const act = async (reason: string) => {
    if (step.kind !== "deciding") return;
    const { doable, leftAlone } = step.plan;
    const stop = new AbortController();
    stopper.current = stop;
    setStep({ kind: "running", total: doable.length, reports: [], isStopping: false });
    const onReports = (brought: readonly BulkReport[]) =>
      setStep((now) => (now.kind === "running" ? { ...now, reports: [...now.reports, ...brought] } : now));
    const targets = doable.map(({ item }) => item);
    const reports = await bulkForceExpire(targets, { reason, dryRun: false }, { signal: stop.signal, onReports });
    const all = [...reports, ...leftAlone];
    setStep({ kind: "done", reports: all });
    onEnd(all);
  };
  const stop = () => {
    stopper.current?.abort();
    setStep((now) => (now.kind === "running" ? { ...now, isStopping: true } : now));
  };
  return { step, act, stop };
}

/** Acting on what the dry run already ruled out would only repeat its answer. */
export function planOf(preview: readonly BulkReport[]): BulkPlan {
  const isDoable = ({ outcome }: BulkReport) => outcome === "expired" || outcome === "partial";
  return { doable: preview.filter(isDoable), leftAlone: preview.filter((report) => !isDoable(report)) };
}

function useWarningBeforeLeaving(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isOn]);
}
