import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { NuqsTestingAdapter, type OnUrlUpdateFunction } from "nuqs/adapters/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ZoneInUrl } from "@/components/layout/zone-in-url";
import { ZoneSwitch } from "@/components/layout/zone-switch";
import { ClockTime, TimeAgo } from "@/components/ui/clock-time";
import { formatMoment, zoneChoice } from "@/lib/client";
import { clearBrowser, show, stubApi } from "../../support/browser-rig";
import { clusterOf } from "../../support/view-fixtures";

// A generous bound for a busy machine: what must not happen is waiting for ever.
vi.setConfig({ testTimeout: 30_000 });

afterEach(async () => {
  zoneChoice.reset();
  localStorage.clear();
  await clearBrowser();
});

const NOW = clusterOf().readAt;
const AT = NOW - 180_500;

async function open(searchParams = "") {
  const onUrlUpdate = vi.fn<OnUrlUpdateFunction>();
  stubApi({ "GET /cluster": () => [clusterOf()] });
  show(
    <NuqsTestingAdapter searchParams={searchParams} onUrlUpdate={onUrlUpdate} hasMemory>
      <ZoneInUrl />
      <ZoneSwitch />
      <ClockTime at={AT} />
      <TimeAgo at={AT} />
    </NuqsTestingAdapter>,
  );
  await screen.findByText("3 min ago");
  return { onUrlUpdate, tz: () => onUrlUpdate.mock.lastCall?.[0].searchParams.get("tz") };
}

const IN_UTC = formatMoment(AT, "utc", NOW);
const isInUtc = () => screen.queryByText(IN_UTC) !== null;

describe("the time zone", () => {
  it("is switched for every absolute time, stands in the URL and is remembered", async () => {
    const { tz } = await open();
    await userEvent.click(screen.getByRole("button", { name: /Switch to UTC/ }));
    expect(isInUtc()).toBe(true);
    await waitFor(() => expect(tz()).toBe("utc"));
    zoneChoice.reset(); // as after a reload
    expect(zoneChoice.get()).toBe("utc");
  });

  it("goes out of the URL with local time, which means another time elsewhere", async () => {
    const { onUrlUpdate, tz } = await open("?tz=utc");
    await userEvent.click(screen.getByRole("button", { name: /Switch to local time/ }));
    await waitFor(() => expect(onUrlUpdate).toHaveBeenCalled());
    expect(tz()).toBeNull();
    expect(zoneChoice.get()).toBe("local");
  });

  it("is taken from a link, without changing what the reader is used to", async () => {
    await open("?tz=utc");
    expect(isInUtc()).toBe(true);
    zoneChoice.reset();
    expect(zoneChoice.get()).toBe("local");
  });

  it("is put into the URL of a page that was reached without it", async () => {
    zoneChoice.choose("utc");
    const { tz } = await open();
    await waitFor(() => expect(tz()).toBe("utc"));
  });

  it("survives a browser that forbids storage", async () => {
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("denied", "SecurityError");
    });
    await open();
    act(() => zoneChoice.choose("utc"));
    expect(isInUtc()).toBe(true);
    vi.restoreAllMocks();
  });
});
