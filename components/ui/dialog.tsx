import { X } from "lucide-react";
import { Dialog as RadixDialog } from "radix-ui";
import { type ReactNode, useLayoutEffect, useRef } from "react";

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
    <DialogCard
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      className="dialog-card top-1/2 max-h-[calc(100dvh-2rem)] w-[min(640px,calc(100vw-1.5rem))] -translate-y-1/2 overflow-y-auto overscroll-contain"
    >
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
    </DialogCard>
  );
}

type BareProps = Omit<Props, "title" | "description"> & {
  /** Spoken only. */
  readonly title: string;
  /** Spoken only. */
  readonly description: string;
  /** Called once the focus is back; what opens the next dialog belongs here, so that it remembers the right place. */
  readonly onClosed: () => void;
};

/** A modal dialog near the top without a visible title, for what begins with an input. */
export function BareDialog({ title, description, isOpen, onOpenChange, onClosed, children }: BareProps) {
  return (
    <DialogCard
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      onClosed={onClosed}
      className="top-[min(12dvh,6rem)] w-[min(600px,calc(100vw-1.5rem))] overflow-hidden"
    >
      <RadixDialog.Title className="sr-only">{title}</RadixDialog.Title>
      <RadixDialog.Description className="sr-only">{description}</RadixDialog.Description>
      {children}
    </DialogCard>
  );
}

type CardProps = Pick<Props, "isOpen" | "onOpenChange" | "children"> & {
  readonly className: string;
  readonly onClosed?: () => void;
};

/** The veil and the card; a long card scrolls as a whole: the focus is always inside of it, so the arrow keys reach all of its text. */
function DialogCard({ isOpen, onOpenChange, onClosed, className, children }: CardProps) {
  // Radix knows only its own trigger, and there is none: what had the focus is looked up before the card takes it.
  const opener = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (isOpen) opener.current = document.activeElement;
  }, [isOpen]);
  const onCloseAutoFocus = (event: Event) => {
    event.preventDefault();
    if (opener.current instanceof HTMLElement) opener.current.focus();
    onClosed?.();
  };
  return (
    <RadixDialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="dialog-veil fixed inset-0 z-40 bg-black/45" />
        <RadixDialog.Content
          onCloseAutoFocus={onCloseAutoFocus}
          className={`fixed left-1/2 z-50 -translate-x-1/2 rounded-xl border border-line bg-raised shadow-float ${className}`}
        >
          {children}
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
