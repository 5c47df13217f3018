import { fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SoftLinks } from "@/components/layout/soft-links";
import { ResourceLink } from "@/components/locks/lock-cells";
import { clearBrowser, show } from "../../support/browser-rig";
import { HELD_SPECS, lockView } from "../../support/view-fixtures";

const router = vi.hoisted(() => ({ push: vi.fn() }));
vi.mock("next/navigation", () => ({ useRouter: () => router }));

beforeEach(() => {
  router.push.mockReset();
  show(
    <>
      <SoftLinks />
      <ResourceLink lock={lockView("held", HELD_SPECS, { resource: "orders:42" })} />
      <a href="/elsewhere">elsewhere</a>
    </>,
  );
});
afterEach(clearBrowser);

/** @returns whether the browser is left to follow it */
const click = (name: string, how: MouseEventInit = {}) => fireEvent.click(screen.getByRole("link", { name }), how);

it("follows a row's link without loading the site anew", () => {
  expect(click("orders:42")).toBe(false);
  expect(router.push).toHaveBeenCalledExactlyOnceWith("/locks/orders%3A42");
});

it("leaves a new tab, a new window and every other link to the browser", () => {
  for (const how of [{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { button: 1 }]) {
    expect(click("orders:42", how)).toBe(true);
  }
  expect(click("elsewhere")).toBe(true);
  expect(router.push).not.toHaveBeenCalled();
});
