import { describe, expect, it } from "vitest";
import { staleReason } from "@/lib/client/connection";
import { SILENCE_MS_MAX } from "@/lib/client/live-stream";

describe("when what is on screen is old", () => {
  it("is not before the page listens, nor while its first word may still come", () => {
    expect(staleReason({ state: "connecting", openedAt: null, lastHeardAt: null }, 10 ** 6)).toBeNull();
    expect(staleReason({ state: "connecting", openedAt: 0, lastHeardAt: null }, 6000)).toBeNull();
  });

  it("is when the values that came with the page are never followed by a word", () => {
    expect(staleReason({ state: "offline", openedAt: 0, lastHeardAt: null }, 5000)).not.toBeNull();
    expect(staleReason({ state: "connecting", openedAt: 0, lastHeardAt: null }, SILENCE_MS_MAX + 1)).not.toBeNull();
  });

  it("is not while the stream or the polling brings news", () => {
    expect(staleReason({ state: "live", openedAt: 0, lastHeardAt: 0 }, 6000)).toBeNull();
    expect(staleReason({ state: "polling", openedAt: 0, lastHeardAt: 0 }, 6000)).toBeNull();
  });

  it("is after three missed pings, although nobody closed the connection", () => {
    expect(staleReason({ state: "live", openedAt: 0, lastHeardAt: 0 }, SILENCE_MS_MAX + 1)).toContain("silent");
  });

  it.each(["reconnecting", "offline", "resting"] as const)("is soon when %s, but not at once", (state) => {
    expect(staleReason({ state, openedAt: 0, lastHeardAt: 0 }, 1000)).toBeNull();
    expect(staleReason({ state, openedAt: 0, lastHeardAt: 0 }, 5000)).not.toBeNull();
  });
});
