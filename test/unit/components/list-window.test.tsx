import { act, renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { useListWindow } from "@/components/locks/list/use-list-window";

/** Twenty rows on screen. */
function render() {
  const { result, rerender } = renderHook(({ list }) => useListWindow(list), { initialProps: { list: "all" } });
  return {
    show: (first: number) => act(() => result.current.onRange(first, first + 19)),
    ask: (list: string) => rerender({ list }),
    asked: () => result.current.shown,
  };
}

it("asks for others before the screen is past what is known, most of them ahead", () => {
  const { show, asked } = render();
  show(160);
  expect(asked()).toEqual({ offset: 0, limit: 300 });
  show(170);
  expect(asked()).toEqual({ offset: 110, limit: 300 });
  show(171);
  expect(asked().offset).toBe(110);
});

it("turns with the reader, and needs nothing above the top", () => {
  const { show, asked } = render();
  show(1000);
  expect(asked().offset).toBe(940);
  show(990);
  // The last row on screen is 1009.
  expect(asked().offset).toBe(769);
  show(100);
  show(50);
  expect(asked().offset).toBe(0);
  show(0);
  expect(asked().offset).toBe(0);
});

it("goes to where a jump leads, and back to the top with another list", () => {
  const { show, ask, asked } = render();
  show(50_000);
  expect(asked().offset).toBe(49_940);
  ask("q=orders");
  expect(asked().offset).toBe(0);
});

it("asks for the end of a list once", () => {
  const { show, asked } = render();
  show(980);
  const { offset } = asked();
  show(981);
  expect(asked().offset).toBe(offset);
});
