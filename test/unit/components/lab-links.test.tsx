import { fireEvent, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { lanesOf } from "@/components/lab/lanes";
import { sceneOf } from "@/components/lab/scene";
import { linksAt, linkWords } from "@/components/lab/scene-links";
import type { LabEvent, LabFault, LabLink, LabRun } from "@/lib/contract";
import { clearBrowser } from "../../support/browser-rig";
import { openLab, RUN } from "../../support/lab-page";

afterEach(clearBrowser);

const OPEN = { client: "A", node: "a", way: "open", isDeaf: false, lateMs: 0 } as const;

function faultOf(atMs: number, act: LabFault, link: Partial<LabLink>): LabEvent {
  return { atMs, kind: "fault", target: "link", text: act, act, links: [{ ...OPEN, ...link }] };
}

const CUT = faultOf(300, "cut", { way: "cut" });
const withEvents = (events: readonly LabEvent[]): LabRun => ({
  ...RUN,
  events: [...RUN.events, ...events].toSorted((a, b) => a.atMs - b.atMs),
});

describe("the ways between clients and nodes", () => {
  it.each([
    [{ way: "cut" }, "cut", "black hole"],
    [{ way: "refused" }, "refused", "refused"],
    [{ isDeaf: true }, "deaf", "replies lost"],
    [{ lateMs: 40.4 }, "late", "+40 ms"],
    [{ isDeaf: true, lateMs: 40 }, "deaf", "replies lost, +40 ms"],
  ] as const)("with %j look %s and are called %s", (link, look, text) => {
    expect(linksAt([faultOf(1, "cut", link)])).toEqual([{ client: "A", node: "a", look, text }]);
  });

  it("are as the last fault has left them, and nothing once they are open", () => {
    const mended = faultOf(900, "heal", {});
    expect(linksAt([CUT, faultOf(800, "delay", { lateMs: 7 })])).toMatchObject([{ look: "late" }]);
    expect(linksAt([CUT, mended])).toEqual([]);
    const run = withEvents([CUT, mended]);
    expect([299, 300, 899, 900].map((atMs) => sceneOf(run, atMs).wires.links.length)).toEqual([0, 1, 1, 0]);
  });

  it("are said together where they are alike", () => {
    const [a, b] = linksAt([
      CUT,
      faultOf(1, "cut", { way: "cut", node: "b" }),
      faultOf(2, "deafen", { isDeaf: true, node: "c" }),
    ]);
    expect(
      linkWords(
        linksAt([CUT, faultOf(1, "cut", { way: "cut", node: "b" }), faultOf(2, "deafen", { isDeaf: true, node: "c" })]),
      ),
    ).toBe("a, b black hole; c replies lost");
    expect([a?.node, b?.node]).toEqual(["a", "b"]);
  });

  it("are drawn each in a way of its own, named on the line and on the card of the client", async () => {
    const faults = [CUT, faultOf(300, "deafen", { client: "B", isDeaf: true })];
    await openLab({ run: withEvents(faults) });
    const card = within(await screen.findByRole("list", { name: "Clients" })).getAllByRole("listitem")[0];
    expect(card?.textContent).toContain("Its links: a black hole");
    expect(screen.getByText("✕ black hole")).toBeTruthy();
    const looks = [...document.querySelectorAll("[data-link]")].map((line) => [
      line.getAttribute("data-link"),
      line.getAttribute("stroke-dasharray"),
    ]);
    expect(new Set(looks.map(([look]) => look))).toEqual(new Set(["cut", "deaf"]));
    expect(looks.filter(([look]) => look === "cut")).toHaveLength(2);
    expect(looks.find(([look]) => look === "deaf")?.[1]).not.toBeNull();
  });
});

describe("the ring of a key", () => {
  it("drains between two looks at its node, and is full for a key without an end", () => {
    const shareAt = (atMs: number) => sceneOf(RUN, atMs).nodes[0]?.keys[0]?.expiry;
    expect(shareAt(120)).toEqual({ leftMs: 6000, share: 0.75 });
    expect(shareAt(200)).toEqual({ leftMs: 5920, share: 0.74 });
    const endless = RUN.events.map((event) =>
      event.kind === "node" ? { ...event, keys: event.keys.map((key) => ({ ...key, expiry: null })) } : event,
    );
    expect(sceneOf({ ...RUN, events: endless }, 150).nodes[0]?.keys[0]?.expiry).toBeNull();
  });

  it("is drawn from the record at any moment, with the time beside it", async () => {
    await openLab();
    const moment = await screen.findByRole("slider", { name: "Moment of the record" });
    const node = () => within(screen.getByRole("list", { name: "Nodes" })).getByRole("listitem");
    fireEvent.change(moment, { target: { value: "200" } });
    expect(node().textContent).toContain("5.92 s left");
    expect(node().querySelector("[data-share]")?.getAttribute("data-share")).toBe("0.740");
    fireEvent.change(moment, { target: { value: "130" } });
    expect(node().textContent).toContain("5.99 s left");
  });

  it("leaves the bar of the key whole when its end is put off", () => {
    const later = { leftMs: 8000, ofMs: 8000 };
    const event: LabEvent = {
      ...{ atMs: 150, kind: "node", node: "a", state: "up" },
      keys: [{ resource: "lab:door", holder: "11111111", expiry: later }],
    };
    expect(lanesOf(withEvents([event])).nodes[0]?.keys).toEqual([
      { resource: "lab:door", holder: "11111111", fromMs: 120, untilMs: 210 },
    ]);
  });
});
