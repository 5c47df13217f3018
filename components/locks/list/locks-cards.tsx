"use client";

import { memo, type ReactNode, useEffect } from "react";
import { ClientName, HeldFor, HolderName, ResourceLink, SeenSince } from "../lock-cells";
import { PipsAfter } from "../pips";
import { useLiveRow } from "../use-live-row";
import { VerdictMark } from "../verdict-badge";
import { type RowProps, type RowsProps, rowAt, rowProps } from "./rows";
import { SelectRow } from "./select-box";
import { useHeaderHeight } from "./use-header-height";
import { useMeasuredRows } from "./use-measured-rows";
import { useRowKeys } from "./use-row-keys";

/** Height a card is taken for until it was measured, pixels. */
const CARD_PX = 180;

/** The locks as cards, for narrow screens. */
export function LocksCards(props: RowsProps) {
  const { total, pinned, list, selection, onRange } = props;
  const coveredPx = useHeaderHeight();
  const virtual = useMeasuredRows({ count: total, rowPx: CARD_PX, pinned: pinned?.index ?? null, list, coveredPx });
  const { placed, endPx, first, last, scrollTo, measure } = virtual;
  useRowKeys(list, { count: total, first, last, scrollTo });
  useEffect(() => onRange(first, last));
  return (
    <ul style={{ paddingBottom: endPx }} className="px-2">
      {placed.map(({ index, gapPx }) => {
        const row = rowAt(props, index);
        const place = { gapPx, total, measure };
        return row === undefined ? (
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
          <LockCard key={row.lock.value.id} {...rowProps(index, row, selection)} {...place} />
        );
      })}
    </ul>
  );
}

type CardProps = RowProps & {
  readonly gapPx: number;
  readonly total: number;
  readonly measure: (element: Element | null) => void;
};

const LockCard = memo(function LockCard({ index, lock: received, isGone, isSelected, onToggle, ...place }: CardProps) {
  const live = useLiveRow(received);
  const lock = received.value;
  return (
    <li
      ref={place.measure}
      data-row
      data-id={lock.id}
      data-index={index}
      aria-setsize={place.total}
      aria-posinset={index + 1}
      style={{ marginTop: place.gapPx }}
      className="grid gap-1.5 border-line border-t py-3 first:border-t-0"
    >
      <div className="flex items-center gap-2">
        <span className="-ml-1.5">
          <SelectRow lock={lock} isGone={isGone} isSelected={isSelected} onToggle={onToggle} />
        </span>
        {isGone ? <span className="text-mute">gone</span> : <VerdictMark kind={live.verdict} />}
        <span className="ml-auto">
          <PipsAfter lock={lock} ended={live.ended} />
        </span>
      </div>
      <ResourceLink lock={lock} />
      {!isGone && (
        <p className="truncate">
          <HeldFor lock={lock} live={live} />
        </p>
      )}
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 text-[13px]">
        <Fact name="Holder">
          <HolderName lock={lock} />
        </Fact>
        <Fact name="Since">
          <SeenSince lock={lock} live={live} />
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
