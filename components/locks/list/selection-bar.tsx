"use client";

import type { ReactNode } from "react";
import { Button } from "../../ui/button";
import { useBlockedReason } from "../use-blocked-reason";
import type { ShownLock } from "./use-frozen-order";
import { useHeaderHeight } from "./use-header-height";
import type { Selection } from "./use-selection";

type Props = {
  readonly rows: readonly ShownLock[];
  readonly selection: Selection;
  /** In front: the box that selects all, where there is no table head for it. */
  readonly children?: ReactNode;
};

/**
 * What is selected and what can be done with it. It has its place above the rows also while nothing is: a bar that appears would
 * push another row under the finger.
 */
export function SelectionBar({ rows, selection, children }: Props) {
  const blocked = useBlockedReason();
  const { size } = selection.items;
  const shown = rows.filter(({ lock }) => selection.items.has(lock.value.id)).length;
  const headerHeight = useHeaderHeight();
  return (
    <div
      style={{ top: headerHeight }}
      className={`-mx-2 flex min-h-10 items-center gap-2 rounded-t-xl border-line border-b bg-panel px-3 text-[13px] ${size > 0 ? "sticky z-10" : ""}`}
    >
      {children}
      <p aria-live="polite" className="min-w-0 truncate">
        {size === 0 ? (
          <span className="text-mute">
            Select locks to act on several at once
            <span className="max-md:hidden">
              {" "}
              · <kbd className="font-mono">x</kbd> selects the focused row
            </span>
          </span>
        ) : (
          <>
            <b>{size.toLocaleString("en-US")} selected</b>
            {shown < size && <span className="text-mute"> · {(size - shown).toLocaleString("en-US")} not in view</span>}
          </>
        )}
      </p>
      {size > 0 && (
        <>
          <Button
            size="small"
            look="danger"
            disabledReason={blocked}
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
