"use client";

import type { BulkReport } from "@/lib/client";
import { Cell, ColumnHead, Table } from "../ui/table";
import { TimeLeft } from "../ui/time-left";
import { detailOf, OUTCOME_LOOKS } from "./bulk-words";

type Props = {
  readonly caption: string;
  readonly reports: readonly BulkReport[];
  /** What would happen, or what did. */
  readonly isPreview?: boolean;
};

/** Item by item: resource and token, what becomes of it, and until when its old holder may act. */
export function BulkTable({ caption, reports, isPreview = false }: Props) {
  return (
    // The region scrolls by itself, so it must take the focus: the arrow keys would not reach its end otherwise.
    <section
      aria-label={caption}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region without controls is reached by the keyboard only so.
      tabIndex={0}
      className="max-h-72 overflow-y-auto overscroll-contain rounded-lg border border-line"
    >
      <Table caption={caption}>
        <thead className="sticky top-0 bg-raised">
          <tr>
            <ColumnHead>Lock</ColumnHead>
            <ColumnHead>{isPreview ? "What will happen" : "What happened"}</ColumnHead>
            <ColumnHead className="w-28 max-sm:hidden">Old holder may act</ColumnHead>
          </tr>
        </thead>
        <tbody>
          {reports.map((report) => (
            <Row key={report.item.id} report={report} isPreview={isPreview} />
          ))}
        </tbody>
      </Table>
    </section>
  );
}

function Row({ report, isPreview }: { readonly report: BulkReport; readonly isPreview: boolean }) {
  const { item, outcome, answer, takenAt } = report;
  const look = OUTCOME_LOOKS[outcome];
  const isTouched = outcome === "expired" || outcome === "partial";
  const detail = detailOf(report);
  const mayAct =
    isTouched && answer !== null ? (
      <TimeLeft remainingMs={answer.oldHolderMayActForMs} takenAt={takenAt} never="no end known" over="no longer" />
    ) : null;
  return (
    <tr className="border-line border-b align-top last:border-b-0">
      <th scope="row" className="px-2.5 py-2 text-left align-top font-normal">
        <code className="block wrap-anywhere">{item.resource}</code>
        <code className="text-[12.5px] text-mute">{item.fingerprint}</code>
      </th>
      <Cell isWrapping className="align-top">
        <span className={`font-semibold ${(isPreview && look.willColor) || look.color}`}>
          {isPreview ? look.will : look.did}
        </span>
        {detail !== "" && <span className="block text-[13px] text-mute">{detail}</span>}
        {mayAct !== null && <span className="block text-[13px] text-mute sm:hidden">old holder may act: {mayAct}</span>}
      </Cell>
      <Cell isWrapping className="align-top max-sm:hidden">
        {mayAct ?? <span className="text-mute">–</span>}
      </Cell>
    </tr>
  );
}
