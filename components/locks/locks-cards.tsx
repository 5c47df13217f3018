"use client";

import type { ReactNode } from "react";
import { ClientName, HeldFor, HolderName, ResourceLink, SeenSince } from "./lock-cells";
import { LockPips } from "./pips";
import { SelectRow } from "./select-box";
import type { ShownLock } from "./use-frozen-order";
import type { Selection } from "./use-selection";
import { VerdictBadge } from "./verdict-badge";

type Props = { readonly rows: readonly ShownLock[]; readonly selection: Selection };

/** The locks as cards, for narrow screens. */
export function LocksCards({ rows, selection }: Props) {
  return (
    <ul className="divide-y divide-line">
      {rows.map(({ lock, isGone }) => (
        <li key={lock.value.id} data-row className="grid gap-1.5 py-3">
          <div className="flex items-center gap-2">
            <span className="-ml-1.5">
              <SelectRow row={{ lock, isGone }} selection={selection} />
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
      ))}
    </ul>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-mute">{name}</dt>
      <dd className="min-w-0 truncate">{children}</dd>
    </>
  );
}
