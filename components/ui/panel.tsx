import clsx from "clsx";
import { type ReactNode, useId } from "react";

type Props = {
  readonly title: ReactNode;
  /** Stands to the right of the title. */
  readonly aside?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
};

/** A framed part of a page with its heading. */
export function Panel({ title, aside, className, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={clsx("min-w-0 rounded-xl border border-line bg-panel", className)}>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 pt-2.5">
        <h2 id={id} className="font-semibold text-[13px] text-mute">
          {title}
        </h2>
        {aside}
      </div>
      <div className="px-4 pt-1 pb-4">{children}</div>
    </section>
  );
}
