import clsx from "clsx";
import { type ReactElement, type ReactNode, useId } from "react";

type Props = {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | null;
  /** Gets the ids that tie the control to its label, hint and error. */
  readonly children: (control: {
    readonly id: string;
    readonly "aria-describedby": string;
    readonly "aria-invalid": boolean;
  }) => ReactElement;
};

/** A labelled control with its hint and its error below. */
export function Field({ label, hint, error = null, children }: Props) {
  const id = useId();
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      {children({ id, "aria-describedby": `${id}-notes`, "aria-invalid": error !== null })}
      <div id={`${id}-notes`} className="text-[13px]">
        {error !== null && <p className="text-bad">{error}</p>}
        {hint !== undefined && <p className="text-mute">{hint}</p>}
      </div>
    </div>
  );
}

/** Look of a text control. */
export function inputLook(className?: string): string {
  return clsx(
    "min-h-9 w-full rounded-lg border border-edge bg-panel px-3 py-1.5 text-ink aria-invalid:border-bad",
    className,
  );
}
