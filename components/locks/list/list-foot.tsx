import { Pause, Play } from "lucide-react";
import type { LockRows } from "@/lib/client";
import { Button } from "../../ui/button";

type Props = {
  readonly found: LockRows;
  /** New ones that are not shown while rows stand still. */
  readonly waiting: number;
  readonly isPaused: boolean;
  readonly onPause: (isPaused: boolean) => void;
};

/** Below the list: how many there are, and whether rows may move. */
export function ListFoot({ found: { total, counts, isWhole }, waiting, isPaused, onPause }: Props) {
  const all = counts.all.toLocaleString("en-US");
  return (
    <div className="flex flex-wrap items-center gap-3 text-[13px] text-mute">
      <Button size="small" aria-pressed={isPaused} onClick={() => onPause(!isPaused)}>
        {isPaused ? <Play aria-hidden className="size-3.5" /> : <Pause aria-hidden className="size-3.5" />}
        {isPaused ? "Let rows move" : "Keep rows in place"}
      </Button>
      <span>
        {total === counts.all ? `${all} locks` : `${total.toLocaleString("en-US")} of ${all} locks fit the filter`}
        {!isWhole && " · too many for this browser: the console searches and sorts them"}
        {waiting > 0 && ` · ${waiting} new, shown when rows may move`}
      </span>
    </div>
  );
}
