"use client";

import type { ReactNode } from "react";
import { BULK_ITEMS_MAX } from "@/lib/contract";
import { Button } from "../../ui/button";
import { useBlockedReason } from "../use-blocked-reason";
import type { ShownLock } from "./use-frozen-order";
import { useHeaderHeight } from "./use-header-height";
import type { SelectAll } from "./use-select-all";
import type { Selection } from "./use-selection";

type Props = {
  readonly rows: readonly ShownLock[];
  readonly selection: Selection;
  readonly all: SelectAll;
  /** In front: the box that selects all, where there is no table head for it. */
  readonly children?: ReactNode;
};

/**
 * What is selected and what can be done with it. It has its place above the rows also while nothing is: a bar that appears would
 * push another row under the finger.
 */
export function SelectionBar({ rows, selection, all, children }: Props) {
  const blocked = useBlockedReason();
  const { size } = selection.items;
  const shown = rows.filter(({ lock }) => selection.items.has(lock.value.id)).length;
  const headerHeight = useHeaderHeight();
  // Nothing was left out of nothing.
  const notice = size === 0 && all.notice?.kind === "left-out" ? null : all.notice;
  const tooMany = size > BULK_ITEMS_MAX ? `one action takes at most ${count(BULK_ITEMS_MAX)} locks` : null;
  return (
    <div
      style={{ top: headerHeight }}
      className={`-mx-2 flex min-h-10 items-center gap-2 rounded-t-xl border-line border-b bg-panel px-3 text-[13px] max-md:flex-wrap max-md:gap-1.5 max-md:px-2 max-md:py-1.5 ${size > 0 ? "sticky z-10" : ""}`}
    >
      {children}
      <p aria-live="polite" className={`min-w-0 md:truncate ${notice === null ? "" : "max-md:basis-4/5"}`}>
        {size === 0 && notice === null && (
          <span className="text-mute">
            Select locks to act on several at once
            <span className="max-md:hidden">
              {" "}
              · <kbd className="font-mono">x</kbd> selects the focused row
            </span>
          </span>
        )}
        {size > 0 && (
          <>
            <b>{count(size)} selected</b>
            {shown < size && <span className="text-mute"> · {count(size - shown)} not in view</span>}
          </>
        )}
        {size > 0 && notice !== null && " · "}
        <Notice notice={notice} />
      </p>
      {notice?.kind === "too-many" && (
        <Button size="small" onClick={all.selectFirst}>
          Select the first {count(BULK_ITEMS_MAX)}
        </Button>
      )}
      {size > 0 && (
        <>
          <Button
            size="small"
            look="danger"
            disabledReason={blocked ?? tooMany}
            onClick={() => selection.setActed([...selection.items.values()])}
          >
            Force-expire…
          </Button>
          <Button size="small" look="quiet" onClick={() => selection.drop([...selection.items.keys()])}>
            Clear
          </Button>
        </>
      )}
    </div>
  );
}

function Notice({ notice }: { readonly notice: SelectAll["notice"] }) {
  switch (notice?.kind) {
    case undefined:
      return null;
    case "reading":
      return <span className="text-mute">Reading which locks fit…</span>;
    case "too-many":
      return (
        <span className="text-risk">
          {count(notice.fitting)} fit: not selected, one action takes at most {count(BULK_ITEMS_MAX)}. Narrow the
          search, or
        </span>
      );
    case "left-out":
      return (
        <span className="text-risk">{count(notice.count)} more fit and cannot be selected: open them one by one</span>
      );
    default:
      return notice satisfies never;
  }
}

function count(locks: number): string {
  return locks.toLocaleString("en-US");
}
