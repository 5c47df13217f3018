"use client";

import { useId } from "react";

type Props = {
  readonly label: string;
  readonly hint: string;
  readonly isChosen: boolean;
  readonly onChange: (isChosen: boolean) => void;
};

/** A checkbox that says beside its name what choosing it does. */
export function Choice({ label, hint, isChosen, onChange }: Props) {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5">
      <input
        id={id}
        type="checkbox"
        aria-describedby={`${id}-hint`}
        checked={isChosen}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 accent-accent"
      />
      <div>
        <label htmlFor={id} className="font-semibold">
          {label}
        </label>
        <p id={`${id}-hint`} className="text-[13px] text-mute">
          {hint}
        </p>
      </div>
    </div>
  );
}
