import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it } from "vitest";
import { logLines } from "@/components/lab/log-lines";
import type { LabEvent, LabRun } from "@/lib/contract";
import { clearBrowser } from "../../support/browser-rig";
import { openLab, PLAYING, RUN } from "../../support/lab-page";

afterEach(clearBrowser);

const NAME = "3 clients, pauses by chance, all masters at once";
const crowd = { clients: 3, isJittered: true, isInTurn: false };
const votes = [{ node: "a", kind: "granted", text: "granted" }];
const search = "?scenario=contention&seed=7";

function winOf(atMs: number, id: string): readonly LabEvent[] {
  const own = { client: "P1", id, contest: NAME };
  const granted = { ...own, kind: "granted", resource: "lab:door", holder: "33333333", votes } as const;
  return [
    { ...granted, atMs, askedMs: atMs - 5, untilMs: atMs + 3000 },
    { ...own, atMs: atMs + 25, kind: "ending" },
  ];
}

const EVENTS: readonly LabEvent[] = [
  { atMs: 1, kind: "node", node: "a", state: "up", keys: [] },
  { atMs: 2, kind: "client", client: "P1", text: "is a process", pid: 11 },
  ...winOf(100, "P1.3:1"),
  {
    atMs: 110,
    kind: "node",
    node: "a",
    state: "up",
    keys: [{ resource: "lab:door", holder: "33333333", expiry: null }],
  },
  ...winOf(200, "P1.1:2"),
  {
    ...{ atMs: 300, kind: "contest", name: NAME, crowd, tookMs: 2500, wins: [1, 0, 1], tries: 9, tryMs: 12.4 },
    ...{ splitTries: 4, wastedVotes: 6, commands: 80, wastedCommands: 50, waitMs: { median: 200, most: 900 } },
  },
  { atMs: 301, kind: "told", text: "2 wins." },
].toSorted((a, b) => a.atMs - b.atMs) as readonly LabEvent[];

const CONTEST: LabRun = { ...RUN, scenario: "contention", crowd, events: [...EVENTS], claims: [], overlaps: [] };

describe("the controls of a crowd", () => {
  it("decide how many clients there are and how they ask, in the request and in the URL", async () => {
    const { seen, onUrlUpdate } = await openLab({ run: null, search });
    const clients = await screen.findByLabelText<HTMLInputElement>("Clients");
    expect(clients.value).toBe("10");
    await userEvent.clear(clients);
    await userEvent.type(clients, "25");
    expect(document.activeElement).toBe(clients);
    await userEvent.click(screen.getByLabelText("Pauses by chance (jitter)"));
    await userEvent.click(screen.getByLabelText("Ask one master after the other"));
    const query = new URLSearchParams(onUrlUpdate.mock.lastCall?.[0].queryString);
    expect(Object.fromEntries(query)).toMatchObject({ clients: "25", jitter: "off", requests: "in-turn" });
    await userEvent.click(screen.getByRole("button", { name: "Run" }));
    const post = seen.find(({ method }) => method === "POST");
    expect(post?.body).toMatchObject({ crowd: { clients: 25, isJittered: false, isInTurn: true } });
  });

  it("come from the URL, and refuse a number that cannot be played", async () => {
    const { seen } = await openLab({ run: null, search: `${search}&clients=99&jitter=off` });
    const clients = await screen.findByLabelText<HTMLInputElement>("Clients");
    expect(clients.value).toBe("50");
    expect(screen.getByLabelText<HTMLInputElement>("Pauses by chance (jitter)").checked).toBe(false);
    await userEvent.clear(clients);
    await userEvent.type(clients, "1");
    expect(screen.getByText("From 2 to 50.")).toBeTruthy();
    await userEvent.tab();
    expect(clients.value).toBe("50");
    expect(seen.some(({ method }) => method === "POST")).toBe(false);
  });

  it("are not there for a scenario without a crowd, and nothing of them is sent", async () => {
    const { seen } = await openLab({ run: null, search: "?scenario=crash-restart&clients=9" });
    await userEvent.click(await screen.findByRole("button", { name: "Run" }));
    expect(screen.queryByLabelText("Clients")).toBeNull();
    expect(seen.find(({ method }) => method === "POST")?.body).not.toHaveProperty("crowd");
  });
});

describe("what a crowd did", () => {
  it("is shown as a table: wins of each client, waiting, and what was wasted", async () => {
    await openLab({ run: CONTEST, search });
    const row = within(await screen.findByRole("region", { name: "Contests" })).getByRole("row", {
      name: new RegExp(NAME),
    });
    for (const words of [
      ...["2 of 9 tries, 4 split", "0 to 1 each", "200 ms (median), 900 ms at most", "12 ms"],
      ...["6, 3.0 for each win", "50 of 80"],
    ]) {
      expect(row.textContent).toContain(words);
    }
  });

  it("is one line of the log, which holds each win and who gave the votes", async () => {
    expect(logLines(EVENTS).map(({ kind }) => kind)).toEqual(["event", "event", "crowd", "event", "event"]);
    await openLab({ run: { ...CONTEST, state: PLAYING.state }, search });
    await userEvent.click(await screen.findByRole("button", { name: "To the end" }));
    const log = within(screen.getByRole("region", { name: "Record of the run" }));
    const line = log.getByText(/2 wins by 2 clients until 0.23 s/);
    expect(log.queryByText(/P1.3 believes/)).toBeNull();
    await userEvent.click(line);
    expect(await log.findByText(/P1.3 believes: lab:door is mine until .* \(a: granted\)/)).toBeTruthy();
  });
});
