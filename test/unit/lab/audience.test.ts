import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Audience } from "@/lib/lab/audience";

const LEAVE_MS = 10_000;
const [DRIVER, OTHER] = ["viewer-driver", "viewer-other"];

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function open({ isOn = true } = {}) {
  const onDeserted = vi.fn();
  const audience = new Audience({ leaveMs: LEAVE_MS, isOn: () => isOn, onDeserted, onChange: () => undefined });
  return { audience, onDeserted };
}

test("a driver who is back in time keeps the seat, and the run", () => {
  const { audience, onDeserted } = open();
  const leave = audience.join(DRIVER);
  audience.begin(DRIVER);
  leave();
  vi.advanceTimersByTime(LEAVE_MS - 1);
  audience.join(DRIVER);
  vi.advanceTimersByTime(10 * LEAVE_MS);
  expect(onDeserted).not.toHaveBeenCalled();
  expect(audience.view()).toEqual({ viewers: 1, driver: DRIVER });
});

test("a driver with two connections is there as long as one of them is", () => {
  const { audience, onDeserted } = open();
  const leave = audience.join(DRIVER);
  audience.join(DRIVER);
  audience.begin(DRIVER);
  leave();
  vi.advanceTimersByTime(10 * LEAVE_MS);
  expect(onDeserted).not.toHaveBeenCalled();
});

test("a driver who never came is waited for as long as one who left", () => {
  const { audience, onDeserted } = open();
  audience.begin(DRIVER);
  vi.advanceTimersByTime(LEAVE_MS - 1);
  expect(onDeserted).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onDeserted).toHaveBeenCalledOnce();
});

test("once the seat is free, the last one to leave ends the run", () => {
  const { audience, onDeserted } = open();
  audience.begin(DRIVER);
  const leave = audience.join(OTHER);
  vi.advanceTimersByTime(LEAVE_MS);
  expect(audience.view().driver).toBeNull();
  expect(audience.mayDrive(OTHER)).toBe(true);
  leave();
  vi.advanceTimersByTime(LEAVE_MS);
  expect(onDeserted).toHaveBeenCalledOnce();
});

test("a run that no page has started is ended by nobody's leaving, until a page takes it over", () => {
  const { audience, onDeserted } = open();
  audience.begin(null);
  audience.join(OTHER)();
  vi.advanceTimersByTime(10 * LEAVE_MS);
  expect(onDeserted).not.toHaveBeenCalled();
  audience.takeOver(OTHER);
  vi.advanceTimersByTime(LEAVE_MS);
  expect(onDeserted).toHaveBeenCalledOnce();
});

test("nobody is waited for when no run is on", () => {
  const { audience, onDeserted } = open({ isOn: false });
  audience.begin(DRIVER);
  vi.advanceTimersByTime(10 * LEAVE_MS);
  expect(onDeserted).not.toHaveBeenCalled();
});
