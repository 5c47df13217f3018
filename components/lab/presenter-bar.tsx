import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../ui/button";
import { useEscape } from "../ui/use-escape";

type Props = { readonly title: string; readonly onLeave: () => void; readonly children: ReactNode };

/** What is left of the page around a run that is presented. Its presence hides the header and makes the rest large. */
export function PresenterBar({ title, onLeave, children }: Props) {
  useEscape(onLeave);
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
