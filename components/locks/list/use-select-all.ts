import { useRef, useState } from "react";
import { toast } from "sonner";
import { asApiError, type LockRows, readFirstLocks } from "@/lib/client";
import { BULK_ITEMS_MAX, type ListFilter, type LockView, listQuery } from "@/lib/contract";
import { type Selection, unselectableBecause } from "./use-selection";

/** What there is to say after somebody asked for all of a list. */
type SelectAllNotice =
  | { readonly kind: "reading" }
  /** Nothing was selected: more fit than one action takes. */
  | { readonly kind: "too-many"; readonly fitting: number }
  /** So many of those asked for cannot be acted on together with others. */
  | { readonly kind: "left-out"; readonly count: number };

/** Selecting all of a list, also what is not on screen. */
export interface SelectAll {
  readonly selected: "none" | "some" | "all";
  /** No row can be selected. */
  readonly isDead: boolean;
  readonly notice: SelectAllNotice | null;
  /** Selects all that fit the filter, or none of them; more than one action takes are not selected but counted. */
  readonly toggle: () => void;
  /** Selects as many as one action takes, from the top. */
  readonly selectFirst: () => void;
}

interface Options {
  readonly filter: ListFilter;
  readonly found: LockRows;
  readonly selection: Selection;
}

/** All of the list or nothing: a part of it is selected only when somebody asks for that part. */
export function useSelectAll({ filter, found, selection }: Options): SelectAll {
  const list = listQuery(filter);
  const [said, setSaid] = useState<{ readonly list: string; readonly notice: SelectAllNotice | null }>();
  /** What was selected that is not among the known rows. */
  const [taken, setTaken] = useState<{ readonly list: string; readonly ids: readonly string[] }>();
  const present = useRef(list);
  present.current = list;
  const say = (notice: SelectAllNotice | null) => setSaid({ list, notice });

  // What is there, not what is on screen: while rows stand still, new ones wait and old ones are gone.
  const known = found.locks.map(({ value }) => value);
  const isKnownWhole = found.isWhole || (!found.isPending && found.offset === 0 && known.length >= found.total);
  const choosable = known.filter((lock) => selection.items.has(lock.id) || unselectableBecause(lock) === null);
  const chosen = choosable.filter(({ id }) => selection.items.has(id)).length;
  const isTaken = taken?.list === list && taken.ids.every((id) => selection.items.has(id));
  const isAll = chosen > 0 && chosen === choosable.length && (isKnownWhole || isTaken);

  const take = (locks: readonly LockView[]) => {
    const takeable = locks.filter((lock) => unselectableBecause(lock) === null);
    selection.setAll(takeable, true);
    setTaken({ list, ids: takeable.map(({ id }) => id) });
    const count = locks.length - takeable.length;
    say(count === 0 ? null : { kind: "left-out", count });
  };
  const read = async (isPartWanted: boolean) => {
    say({ kind: "reading" });
    try {
      const { locks, total } = await readFirstLocks(filter, BULK_ITEMS_MAX);
      // Meanwhile somebody may look at another list: what is selected must be what was on screen.
      if (present.current !== list) return;
      if (total > locks.length && !isPartWanted) say({ kind: "too-many", fitting: total });
      else take(locks);
    } catch (cause) {
      say(null);
      const { message, nextStep } = asApiError(cause);
      toast.error(`Nothing was selected. ${message} ${nextStep}`);
    }
  };
  const toggle = () => {
    say(null);
    const fitting = isKnownWhole ? known.length : found.total;
    if (isAll) selection.drop([...known.map(({ id }) => id), ...(isTaken ? taken.ids : [])]);
    else if (fitting > BULK_ITEMS_MAX) say({ kind: "too-many", fitting });
    else if (isKnownWhole) take(known);
    else void read(false);
  };
  return {
    selected: isAll ? "all" : chosen > 0 ? "some" : "none",
    isDead: choosable.length === 0,
    notice: said?.list === list ? said.notice : null,
    toggle,
    selectFirst: () => (isKnownWhole ? take(known.slice(0, BULK_ITEMS_MAX)) : void read(true)),
  };
}
