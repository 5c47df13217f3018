import clsx from "clsx";
import type { ComponentProps } from "react";

type Props = ComponentProps<"button"> & {
  readonly look?: "plain" | "primary" | "danger" | "quiet";
  readonly size?: "small" | "medium";
  /** Why the action is not possible now. The button stays in the tab order, so that the reason can be found. */
  readonly disabledReason?: string | null;
};

const LOOKS = {
  plain: "border-line bg-panel text-ink hover:bg-hover",
  primary: "border-accent bg-accent text-accent-ink hover:brightness-110",
  danger: "border-bad bg-panel text-bad hover:bg-bad-soft",
  quiet: "border-transparent bg-transparent text-mute hover:bg-hover hover:text-ink",
} as const;

const SIZES = { small: "min-h-7 px-2.5 text-[13px]", medium: "min-h-9 px-3.5" } as const;

/** The one button. */
export function Button({ look = "plain", size = "medium", disabledReason, className, onClick, ...props }: Props) {
  const isDead = typeof disabledReason === "string";
  return (
    <button
      type="button"
      {...props}
      {...(isDead ? { "aria-disabled": true, title: disabledReason, type: "button" as const } : {})}
      onClick={isDead ? (event) => event.preventDefault() : onClick}
      className={clsx(
        "inline-flex items-center justify-center gap-1.5 whitespace-nowrap rounded-lg border font-semibold transition-colors",
        "disabled:cursor-default disabled:text-mute aria-disabled:cursor-not-allowed",
        "aria-disabled:border-line aria-disabled:bg-track aria-disabled:text-mute aria-disabled:hover:brightness-100",
        LOOKS[look],
        SIZES[size],
        className,
      )}
    >
      {props.children}
      {isDead && <span className="sr-only"> ({disabledReason})</span>}
    </button>
  );
}
