import { renderHook } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { useFrozenOrder } from "@/components/locks/list/use-frozen-order";
import { clearBrowser } from "../../support/browser-rig";
import { HELD_SPECS, lockView } from "../../support/view-fixtures";

afterEach(clearBrowser);

const row = (resource: string) => ({ value: lockView("held", HELD_SPECS, { resource }), takenAt: null });
const [a, b, c] = [row("a"), row("b"), row("c")];

function render(isFrozen: boolean) {
  return renderHook(({ locks, frozen, reason }) => useFrozenOrder(locks, frozen, reason), {
    initialProps: { locks: [a, b], frozen: isFrozen, reason: "all" },
  });
}

function shown({ rows, waiting }: ReturnType<typeof useFrozenOrder>) {
  const words = rows.map(({ lock, isGone }) => `${lock.value.resource}${isGone ? " gone" : ""}`);
  return [...words, waiting];
}

it("follows the list while nothing holds it", () => {
  const { result, rerender } = render(false);
  rerender({ locks: [b, a], frozen: false, reason: "all" });
  expect(shown(result.current)).toEqual(["b", "a", 0]);
});

it("keeps every row in its place while frozen, marks what is gone and counts what waits", () => {
  const { result, rerender } = render(true);
  rerender({ locks: [c, b], frozen: true, reason: "all" });
  expect(shown(result.current)).toEqual(["a gone", "b", 1]);
  rerender({ locks: [c, b], frozen: false, reason: "all" });
  expect(shown(result.current)).toEqual(["c", "b", 0]);
});

it("obeys a new filter at once, frozen or not", () => {
  const { result, rerender } = render(true);
  rerender({ locks: [c], frozen: true, reason: "q=c" });
  expect(shown(result.current)).toEqual(["c", 0]);
});
