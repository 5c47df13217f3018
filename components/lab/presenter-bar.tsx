import { X } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { Button } from "../ui/button";

type Props = { readonly title: string; readonly onLeave: () => void; readonly children: ReactNode };

/** What is left of the page around a run that is presented. Its presence hides the header and makes the rest large. */
export function PresenterBar({ title, onLeave, children }: Props) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // A dialog or a tooltip on top closes first, and says so by preventing the default.
      if (event.key === "Escape" && !event.defaultPrevented) onLeave();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [onLeave]);
  return (
    <div data-kiosk className="flex flex-wrap items-center gap-3">
      <h1 className="font-semibold text-[20px]">{title}</h1>
      <div className="ml-auto flex flex-wrap items-center gap-2">
        {children}
        <Button look="quiet" size="small" onClick={onLeave}>
          <X aria-hidden className="size-3.5" />
          Leave (Esc)
        </Button>
      </div>
    </div>
  );
}
