import { X } from "lucide-react";
import { Dialog as RadixDialog } from "radix-ui";
import type { ReactNode } from "react";

type Props = {
  readonly title: ReactNode;
  /** What the dialog is for, in one sentence. */
  readonly description: ReactNode;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly children: ReactNode;
};

/** A modal dialog with title and description; Escape and the cross close it, and the focus returns to where it was. */
export function Dialog({ title, description, isOpen, onOpenChange, children }: Props) {
  return (
    <RadixDialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="dialog-veil fixed inset-0 z-40 bg-black/45" />
        {/* The whole card scrolls: the focus is always inside of it, so the arrow keys reach all of a long text. */}
        <RadixDialog.Content className="dialog-card fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-2rem)] w-[min(640px,calc(100vw-1.5rem))] -translate-x-1/2 -translate-y-1/2 overflow-y-auto overscroll-contain rounded-xl border border-line bg-raised shadow-float">
          <div className="sticky top-0 z-10 flex items-start justify-between gap-3 border-line border-b bg-raised py-3 pr-3 pl-5">
            <div className="min-w-0">
              <RadixDialog.Title className="break-words font-semibold text-[17px]">{title}</RadixDialog.Title>
              <RadixDialog.Description className="mt-0.5 text-mute">{description}</RadixDialog.Description>
            </div>
            <RadixDialog.Close
              aria-label="Close"
              className="grid size-8 shrink-0 place-items-center rounded-md text-mute hover:bg-hover hover:text-ink"
            >
              <X aria-hidden className="size-4" />
            </RadixDialog.Close>
          </div>
          <div className="px-5 pt-4">{children}</div>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

/** The row of buttons at a dialog's end; it stays in view while the rest scrolls. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return (
    <div className="-mx-5 sticky bottom-0 mt-4 flex flex-wrap justify-end gap-2 border-line border-t bg-raised px-5 py-3">
      {children}
    </div>
  );
}
