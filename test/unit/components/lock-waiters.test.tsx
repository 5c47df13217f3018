import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { LockWaiters } from "@/components/locks/lock-waiters";

afterEach(cleanup);

const NOTE = "Seen in the queue of a fair lock.";

test("says how many wait, and in which order", () => {
  const order = ["client 6f0829e1, thread 7", "client 6f0829e2, thread 8"];
  render(<LockWaiters waiters={{ visible: true, count: 2, order, note: NOTE }} />);
  expect(screen.getByText("seen").parentElement?.textContent).toBe("2 seen");
  expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual(order);
  expect(screen.getByText(NOTE)).toBeTruthy();
  expect(screen.queryByText(/more/)).toBeNull();
});

test("lists the first ten of a long queue", () => {
  const order = Array.from({ length: 50 }, (_, index) => `thread ${index}`);
  render(<LockWaiters waiters={{ visible: true, count: 120, order, note: NOTE }} />);
  expect(screen.getAllByRole("listitem")).toHaveLength(10);
  expect(screen.getByText("and 110 more")).toBeTruthy();
});

test("shows a number without an order where there is none, and zero as zero", () => {
  const { rerender } = render(<LockWaiters waiters={{ visible: true, count: 3, order: null, note: NOTE }} />);
  expect(screen.queryByRole("list")).toBeNull();
  rerender(<LockWaiters waiters={{ visible: true, count: 0, order: null, note: NOTE }} />);
  expect(screen.getByText("seen").parentElement?.textContent).toBe("0 seen");
});

test("does not pretend that nobody waits where nothing can be seen", () => {
  render(<LockWaiters waiters={{ visible: false, count: null, order: null, note: "It leaves no trace." }} />);
  expect(screen.getByText("It leaves no trace.")).toBeTruthy();
  expect(screen.queryByText("seen")).toBeNull();
});
