import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ConnectionState, LiveStream, SILENCE_MS_MAX } from "@/lib/client/live-stream";
import type { StreamEvents } from "@/lib/contract";
import { FakeEventSource } from "../../support/fake-event-source";

let states: ConnectionState[];
let events: string[];
let poll: ReturnType<typeof vi.fn<() => Promise<void>>>;
let stream: LiveStream<StreamEvents>;

beforeEach(() => {
  vi.useFakeTimers();
  FakeEventSource.opened.length = 0;
  states = [];
  events = [];
  poll = vi.fn(async () => undefined);
  stream = new LiveStream({
    url: "/api/v1/events",
    names: ["snapshot", "ping"],
    onEvent: (name) => events.push(name),
    onState: (state) => states.push(state),
    poll,
    createSource: (url) => new FakeEventSource(url) as unknown as EventSource,
    now: () => Date.now(),
  });
  stream.start();
});

afterEach(() => {
  stream.rest();
  vi.useRealTimers();
});

const ping = { readAt: 1 };

describe("the live stream", () => {
  it("is live from the first event, and hands every event on", () => {
    FakeEventSource.latest().send("ping", ping);
    expect(states).toEqual(["connecting", "live"]);
    expect(events).toEqual(["ping"]);
    expect(poll).not.toHaveBeenCalled();
  });

  it("says reconnecting after one failure, and is live again with the next event", () => {
    const source = FakeEventSource.latest();
    source.send("ping", ping);
    source.fail();
    source.send("ping", ping);
    expect(states).toEqual(["connecting", "live", "reconnecting", "live"]);
  });

  it("polls every two seconds after three failures in a row", async () => {
    const source = FakeEventSource.latest();
    for (let failure = 0; failure < 3; failure += 1) source.fail();
    await vi.advanceTimersByTimeAsync(4100);
    expect(states.at(-1)).toBe("polling");
    expect(poll).toHaveBeenCalledTimes(3);
  });

  it("polls when the stream is open but silent for three pings, and tries a new stream", async () => {
    FakeEventSource.latest().send("ping", ping);
    await vi.advanceTimersByTimeAsync(SILENCE_MS_MAX + 1100);
    expect(states.at(-1)).toBe("polling");
    expect(FakeEventSource.opened.length).toBe(2);
  });

  it("stops polling as soon as the stream speaks again", async () => {
    const source = FakeEventSource.latest();
    for (let failure = 0; failure < 3; failure += 1) source.fail();
    await vi.advanceTimersByTimeAsync(100);
    source.send("ping", ping);
    const polls = poll.mock.calls.length;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(states.at(-1)).toBe("live");
    expect(poll).toHaveBeenCalledTimes(polls);
  });

  it("says offline while polling fails too, and goes on trying", async () => {
    poll.mockRejectedValue(new Error("refused"));
    for (let failure = 0; failure < 3; failure += 1) FakeEventSource.latest().fail();
    await vi.advanceTimersByTimeAsync(4100);
    expect(states.at(-1)).toBe("offline");
    expect(poll.mock.calls.length).toBeGreaterThan(1);
  });

  it("opens a new stream when the browser has given up", async () => {
    FakeEventSource.latest().fail(true);
    await vi.advanceTimersByTimeAsync(5000);
    expect(FakeEventSource.opened.length).toBeGreaterThan(1);
  });

  it("costs nothing at rest: closed, no timer, no poll", async () => {
    stream.rest();
    expect(FakeEventSource.latest().readyState).toBe(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("ignores what a replaced stream still says", async () => {
    const old = FakeEventSource.latest();
    old.send("ping", ping);
    await vi.advanceTimersByTimeAsync(SILENCE_MS_MAX + 1100);
    old.send("ping", ping);
    expect(events).toEqual(["ping"]);
  });

  it("lets what was asked for a moment ago answer first when told to be patient, and then goes to what was asked for last", () => {
    FakeEventSource.latest().send("ping", ping);
    stream.retarget("/one");
    const one = FakeEventSource.latest();
    stream.retarget("/two", { isPatient: true });
    stream.retarget("/three", { isPatient: true });
    expect(FakeEventSource.latest()).toBe(one);
    one.send("ping", ping);
    expect(events).toHaveLength(2);
    expect(FakeEventSource.opened.map(({ url }) => url).slice(1)).toEqual(["/one", "/three"]);
    FakeEventSource.latest().send("ping", ping);
    expect(one.readyState).toBe(2);
  });

  it("does not wait for what is not wanted any more, nor for ever", () => {
    FakeEventSource.latest().send("ping", ping);
    stream.retarget("/one");
    stream.retarget("/two");
    expect(FakeEventSource.latest().url).toBe("/two");
    vi.advanceTimersByTime(2000);
    stream.retarget("/three", { isPatient: true });
    expect(FakeEventSource.latest().url).toBe("/three");
  });
});
