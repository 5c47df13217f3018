import clsx from "clsx";
import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";

type TableProps = {
  readonly caption: string;
  /** Columns have the widths of their headings, whatever the cells hold: long names are cut, nothing jumps. */
  readonly isFixed?: boolean;
  /** Rows of the whole table, heading included, where not all of them are drawn; each then says its `aria-rowindex`. */
  readonly rows?: number;
  readonly children: ReactNode;
};

/** A table with its caption (for screen readers; the heading above says it to the others). */
export function Table({ caption, isFixed = false, rows, children }: TableProps) {
  return (
    <table aria-rowcount={rows} className={`w-full border-collapse ${isFixed ? "table-fixed" : ""}`}>
      <caption className="sr-only">{caption}</caption>
      {children}
    </table>
  );
}

const HEAD_LOOK =
  "whitespace-nowrap max-sm:whitespace-normal border-line border-b px-2.5 py-2 text-left font-semibold text-[12.5px] text-mute";

/** Heading of a column. */
export function ColumnHead({ className, children }: { readonly className?: string; readonly children?: ReactNode }) {
  return (
    <th scope="col" className={clsx(HEAD_LOOK, className)}>
      {children}
    </th>
  );
}

type SortableProps = {
  readonly direction: "ascending" | "descending" | "none";
  readonly onSort: () => void;
  readonly className?: string;
  readonly children: ReactNode;
};

/** Heading of a column that the table can be sorted by. */
export function SortableColumnHead({ direction, onSort, className, children }: SortableProps) {
  return (
    <th scope="col" aria-sort={direction} className={clsx(HEAD_LOOK, className)}>
      <button
        type="button"
        onClick={onSort}
        className="-mx-1 inline-flex min-h-6 items-center gap-1 px-1 hover:text-ink"
      >
        {children}
        {direction === "ascending" && <ArrowUp aria-hidden className="size-3.5" />}
        {direction === "descending" && <ArrowDown aria-hidden className="size-3.5" />}
      </button>
    </th>
  );
}

type CellProps = { readonly children?: ReactNode; readonly isWrapping?: boolean; readonly className?: string };

/** One cell. */
export function Cell({ children, isWrapping = false, className }: CellProps) {
  return (
    <td className={clsx("px-2.5 py-2 align-middle", !isWrapping && "whitespace-nowrap", className)}>{children}</td>
  );
}
