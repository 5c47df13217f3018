import { type FocusEvent, type PointerEvent, type ReactNode, useEffect, useId, useState } from "react";
import { createPortal } from "react-dom";
import { useEscape } from "./use-escape";

/** As the other tooltips: so long until one opens, and so long it stays for the pointer to move onto it. Milliseconds. */
const OPEN_MS = 250;
const CLOSE_MS = 120;
const GAP_PX = 6;
const EDGE_PX = 12;

interface Options {
  /** Which elements inside have a tooltip. */
  readonly selector: string;
  /** What to say of one of them; null for nothing. */
  readonly textOf: (element: Element) => ReactNode | null;
}

/**
 * One tooltip for many elements, which come and go with the wheel and cannot each afford their own. It appears on hover and on focus, stays
 * under the pointer, and goes with Escape.
 *
 * @returns listeners for what is around the elements, and the tooltip
 */
export function useSharedTooltip({ selector, textOf }: Options) {
  /** What is pointed at or has the focus, and what the tooltip speaks of. */
  const [wanted, setWanted] = useState<Element | null>(null);
  const [shown, setShown] = useState<Element | null>(null);
  useEffect(() => {
    if (wanted === shown) return;
    const timer = setTimeout(() => setShown(wanted), wanted === null ? CLOSE_MS : OPEN_MS);
    return () => clearTimeout(timer);
  }, [wanted, shown]);
  const close = () => {
    setWanted(null);
    setShown(null);
  };
  const at = (target: EventTarget) => (target instanceof Element ? target.closest(selector) : null);
  const text = shown?.isConnected ? textOf(shown) : null;
  return {
    listeners: {
      onPointerOver: ({ target, pointerType }: PointerEvent) => pointerType !== "touch" && setWanted(at(target)),
      onPointerLeave: () => setWanted(null),
      onFocus: ({ target }: FocusEvent) => {
        if (!target.matches(":focus-visible")) return;
        setWanted(at(target));
        setShown(at(target));
      },
      onBlur: close,
      onPointerDown: close,
    },
    tooltip:
      shown === null || text === null ? null : (
        <Floating anchor={shown} onStay={() => setWanted(shown)} onLeave={() => setWanted(null)} onClose={close}>
          {text}
        </Floating>
      ),
  };
}

type FloatingProps = {
  readonly anchor: Element;
  readonly onStay: () => void;
  readonly onLeave: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

function Floating({ anchor, onStay, onLeave, onClose, children }: FloatingProps) {
  const id = useId();
  useEscape(onClose);
  useEffect(() => {
    anchor.setAttribute("aria-describedby", id);
    // What it points at moves away.
    document.addEventListener("scroll", onClose, { passive: true, capture: true });
    return () => {
      anchor.removeAttribute("aria-describedby");
      document.removeEventListener("scroll", onClose, { capture: true });
    };
  }, [anchor, id, onClose]);
  return createPortal(
    <div
      ref={(element) => {
        if (element !== null) place(element, anchor);
      }}
      id={id}
      role="tooltip"
      onPointerEnter={onStay}
      onPointerLeave={onLeave}
      className="fixed top-0 left-0 z-50 max-w-sm rounded-lg border border-line bg-raised px-3 py-2 text-[13px] text-ink shadow-float"
    >
      {children}
    </div>,
    document.body,
  );
}

/** Above its element, or below where there is no room, and never beyond the edge of the screen. */
function place(element: HTMLElement, anchor: Element): void {
  const { left, top, bottom } = anchor.getBoundingClientRect();
  const { width, height } = element.getBoundingClientRect();
  const x = Math.max(EDGE_PX, Math.min(left, window.innerWidth - width - EDGE_PX));
  const y = top - height - GAP_PX >= EDGE_PX ? top - height - GAP_PX : bottom + GAP_PX;
  element.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
}
