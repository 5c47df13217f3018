import { describe, expect, it } from "vitest";
import { staleReason } from "@/lib/client/connection";
import { SILENCE_MS_MAX } from "@/lib/client/live-stream";

describe("when what is on screen is old", () => {
  it("is not before anything was heard: then the page is loading", () => {
    expect(staleReason({ state: "connecting", lastHeardAt: null }, 10 ** 6)).toBeNull();
  });

  it("is not while the stream or the polling brings news", () => {
    expect(staleReason({ state: "live", lastHeardAt: 0 }, 6000)).toBeNull();
    expect(staleReason({ state: "polling", lastHeardAt: 0 }, 6000)).toBeNull();
  });

  it("is after three missed pings, although nobody closed the connection", () => {
    expect(staleReason({ state: "live", lastHeardAt: 0 }, SILENCE_MS_MAX + 1)).toContain("silent");
  });

  it.each(["reconnecting", "offline", "resting"] as const)("is soon when %s, but not at once", (state) => {
    expect(staleReason({ state, lastHeardAt: 0 }, 1000)).toBeNull();
    expect(staleReason({ state, lastHeardAt: 0 }, 5000)).not.toBeNull();
  });
});
