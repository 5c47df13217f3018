"use client";

import { memo, type ReactNode } from "react";
import { ClientName, HeldFor, HolderName, ResourceLink, SeenSince } from "../lock-cells";
import { LockPips } from "../pips";
import { VerdictBadge } from "../verdict-badge";
import { type RowProps, type RowsProps, rowProps } from "./rows";
import { SelectRow } from "./select-box";

/** Height a card is taken for until it was measured, pixels. */
export const CARD_PX = 180;

type Measure = (element: Element | null) => void;
type Props = RowsProps & { readonly measure: Measure | undefined };

/** The locks as cards, for narrow screens. */
export function LocksCards({ placed, endPx, total, selection, measure }: Props) {
  return (
    <ul style={{ paddingBottom: endPx }}>
      {placed.map(({ index, gapPx, row }) =>
        row === undefined ? (
          <li
            key={index}
            data-row
            data-index={index}
            aria-setsize={total}
            aria-posinset={index + 1}
            style={{ marginTop: gapPx, height: CARD_PX }}
            className="border-line border-t py-3 text-mute"
          >
            …
          </li>
        ) : (
          <LockCard
            key={row.lock.value.id}
            {...rowProps(index, row, selection)}
            gapPx={gapPx}
            total={total}
            measure={measure}
          />
        ),
      )}
    </ul>
  );
}

type CardProps = RowProps & { readonly gapPx: number; readonly total: number; readonly measure: Measure | undefined };

const LockCard = memo(function LockCard({ index, lock, isGone, isSelected, onToggle, ...place }: CardProps) {
  return (
    <li
      ref={place.measure}
      data-row
      data-id={lock.value.id}
      data-index={index}
      aria-setsize={place.total}
      aria-posinset={index + 1}
      style={{ marginTop: place.gapPx }}
      className="grid gap-1.5 border-line border-t py-3 first:border-t-0"
    >
      <div className="flex items-center gap-2">
        <span className="-ml-1.5">
          <SelectRow lock={lock.value} isGone={isGone} isSelected={isSelected} onToggle={onToggle} />
        </span>
        {isGone ? <span className="text-mute">gone</span> : <VerdictBadge lock={lock} />}
        <span className="ml-auto">
          <LockPips lock={lock} />
        </span>
      </div>
      <ResourceLink lock={lock} />
      {!isGone && <HeldFor lock={lock} />}
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 text-[13px]">
        <Fact name="Holder">
          <HolderName lock={lock} />
        </Fact>
        <Fact name="Since">
          <SeenSince lock={lock} />
        </Fact>
        <Fact name="Client">
          <ClientName lock={lock} />
        </Fact>
      </dl>
    </li>
  );
});

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-mute">{name}</dt>
      <dd className="min-w-0 truncate">{children}</dd>
    </>
  );
}
