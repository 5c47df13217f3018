"use client";

import { useEffect, useRef } from "react";
import type { LockView } from "@/lib/contract";
import type { SelectAll } from "./use-select-all";
import { unselectableBecause } from "./use-selection";

type RowProps = {
  readonly lock: LockView;
  readonly isGone: boolean;
  readonly isSelected: boolean;
  readonly onToggle: (lock: LockView) => void;
};

/** Selects one row. Where that makes no sense it stays in the tab order and says why. */
export function SelectRow({ lock, isGone, isSelected, onToggle }: RowProps) {
  const because = isGone ? "it is gone" : unselectableBecause(lock);
  const isDead = because !== null && !isSelected;
  return (
    <label className={targetLook(isDead)}>
      <input
        type="checkbox"
        className={BOX_LOOK}
        data-row-select
        aria-keyshortcuts="x"
        aria-disabled={isDead}
        title={isDead ? `Cannot be selected: ${because}` : "Select (x)"}
        aria-label={isDead ? `Select ${lock.resource} (not possible: ${because})` : `Select ${lock.resource}`}
        checked={isSelected}
        onChange={() => !isDead && onToggle(lock)}
      />
    </label>
  );
}

/** Selects everything that fits the filter, on screen or not, or none of it. */
export function SelectAllBox({ all }: { readonly all: SelectAll }) {
  const { selected, isDead, notice, toggle } = all;
  const isReading = notice?.kind === "reading";
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // There is no attribute for it.
    if (input.current !== null) input.current.indeterminate = selected === "some";
  }, [selected]);
  return (
    <label className={targetLook(isDead || isReading)}>
      <input
        ref={input}
        type="checkbox"
        className={BOX_LOOK}
        aria-label={isDead ? "Select all that fit (none of them can be)" : "Select all that fit"}
        title={isDead ? "None of these locks can be selected" : "Select all that fit the filter"}
        aria-disabled={isDead || isReading}
        checked={selected === "all"}
        onChange={() => !isDead && !isReading && toggle()}
      />
    </label>
  );
}

const BOX_LOOK = "size-4 cursor-[inherit] accent-accent aria-disabled:opacity-35";

/** Around the checkbox: a target large enough for a finger. */
function targetLook(isDead: boolean): string {
  return `grid size-6 shrink-0 place-items-center ${isDead ? "cursor-not-allowed" : "cursor-pointer"}`;
}
