"use client";

import { useEffect, useRef } from "react";
import type { LockView } from "@/lib/contract";
import type { ShownLock } from "./use-frozen-order";
import type { Selection } from "./use-selection";
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
    <Box
      data-row-select
      aria-keyshortcuts="x"
      aria-disabled={isDead}
      title={isDead ? `Cannot be selected: ${because}` : "Select (x)"}
      aria-label={isDead ? `Select ${lock.resource} (not possible: ${because})` : `Select ${lock.resource}`}
      checked={isSelected}
      onChange={() => !isDead && onToggle(lock)}
    />
  );
}

type AllProps = { readonly rows: readonly ShownLock[]; readonly selection: Selection };

/** Selects every row that is known and can be, or none of them. */
export function SelectAll({ rows, selection }: AllProps) {
  const shown = rows
    .filter(({ lock, isGone }) => selection.items.has(lock.value.id) || (!isGone && !unselectableBecause(lock.value)))
    .map(({ lock }) => lock.value);
  const selected = shown.filter(({ id }) => selection.items.has(id)).length;
  const isAll = selected > 0 && selected === shown.length;
  const isDead = shown.length === 0;
  return (
    <Box
      aria-label={isDead ? "Select all shown (none of them can be)" : "Select all shown"}
      title={isDead ? "None of the shown locks can be selected" : "Select all shown"}
      aria-disabled={isDead}
      isPartly={selected > 0 && !isAll}
      checked={isAll}
      onChange={() => selection.setAll(shown, !isAll)}
    />
  );
}

type BoxProps = Omit<React.ComponentProps<"input">, "type" | "className" | "ref"> & { readonly isPartly?: boolean };

/** A checkbox with a target large enough for a finger. */
function Box({ isPartly = false, ...props }: BoxProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // There is no attribute for it.
    if (input.current !== null) input.current.indeterminate = isPartly;
  }, [isPartly]);
  return (
    <label className="grid size-6 shrink-0 cursor-pointer place-items-center has-aria-[disabled=true]:cursor-not-allowed">
      <input
        ref={input}
        type="checkbox"
        {...props}
        className="size-4 cursor-[inherit] accent-accent aria-disabled:opacity-35"
      />
    </label>
  );
}
