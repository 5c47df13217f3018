import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { CopyView } from "@/components/ui/copy-view";
import { clearBrowser, show } from "../../support/browser-rig";

afterEach(clearBrowser);

function open(clipboard: unknown) {
  const user = userEvent.setup();
  vi.stubGlobal("navigator", { ...navigator, clipboard });
  show(<CopyView value={{ resource: "orders:42", votes: 5 }} />);
  return user;
}

describe("copying what is on the page", () => {
  it("copies the address and the facts as JSON, and says so", async () => {
    const writeText = vi.fn(async (_: string) => undefined);
    const user = open({ writeText });
    await user.click(screen.getByRole("button", { name: "Copy link" }));
    expect(writeText).toHaveBeenLastCalledWith(window.location.href);
    await user.click(screen.getByRole("button", { name: "Copy JSON" }));
    expect(JSON.parse(writeText.mock.lastCall?.[0] ?? "")).toEqual({ resource: "orders:42", votes: 5 });
    expect(await screen.findByText("JSON copied")).toBeTruthy();
  });

  it.each([
    ["refuses", { writeText: () => Promise.reject(new DOMException("denied", "NotAllowedError")) }],
    ["has no clipboard, as over plain HTTP", undefined],
  ])("says what to do when the browser %s", async (_, clipboard) => {
    const user = open(clipboard);
    await user.click(screen.getByRole("button", { name: "Copy link" }));
    expect(await screen.findByText(/select and copy by hand/)).toBeTruthy();
  });
});
