import { type RefObject, useLayoutEffect, useState } from "react";

/**
 * Where an element begins in the page, pixels. What stands above it comes and goes (a banner, a filter that wraps), which the heights of
 * what is around it show: asking after each render would lay out the page once more for every step of the wheel.
 */
export function useTopOf(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const present = element.current;
    if (present === null) return;
    const look = () => setTop(Math.round(present.getBoundingClientRect().top + window.scrollY));
    look();
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    if (present.parentElement !== null) observer.observe(present.parentElement);
    return () => observer.disconnect();
  }, [element]);
  return top;
}
