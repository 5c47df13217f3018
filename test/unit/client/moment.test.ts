import { describe, expect, it } from "vitest";
import { formatAgo, formatMoment, formatMomentExactly, zoneName } from "@/lib/client";

const AT = Date.UTC(2026, 11, 1, 14, 3, 22, 120);
const DAY_MS = 86_400_000;

describe("an absolute time", () => {
  it("carries its zone", () => {
    expect(formatMoment(AT, "utc", AT + 5000)).toBe("14:03:22 UTC");
    expect(zoneName("utc", AT)).toBe("UTC");
    expect(formatMoment(AT, "local", AT)).toContain(zoneName("local", AT));
  });

  it("says the day when it was not today, and when today is not known", () => {
    expect(formatMoment(AT, "utc", AT + DAY_MS)).toBe("1 Dec 14:03:22 UTC");
    expect(formatMoment(AT, "utc", null)).toBe("1 Dec 14:03:22 UTC");
  });

  it("says the day a minute after midnight of its own zone, not of another", () => {
    const beforeMidnight = Date.UTC(2026, 11, 1, 23, 59, 50);
    expect(formatMoment(beforeMidnight, "utc", beforeMidnight + 20_000)).toBe("1 Dec 23:59:50 UTC");
  });

  it("says the year when it was another", () => {
    expect(formatMoment(AT, "utc", AT + 60 * DAY_MS)).toBe("1 Dec 2026 14:03:22 UTC");
  });

  it("has every digit on hover", () => {
    expect(formatMomentExactly(AT, "utc")).toMatch(/Tue.* 1 Dec 2026.* 14:03:22\.120 UTC/);
  });
});

describe("a relative time", () => {
  it.each([
    [-3000, "just now"],
    [900, "just now"],
    [12_400, "12 sec ago"],
    [61_000, "1 min ago"],
    [600_000, "10 min ago"],
    [3 * DAY_MS, "3 days ago"],
  ])("of %i ms is %s", (ageMs, text) => expect(formatAgo(ageMs)).toBe(text));
});
