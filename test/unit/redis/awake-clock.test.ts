import { uptime } from "node:os";
import { describe, expect, it } from "vitest";
import { awakeClock } from "@/lib/redis/awake-clock";

/** Three clocks of one machine, moved by hand. */
function machine() {
  const time = { monotonic: 1000, wall: 1_700_000_000_000, boot: 50_000 };
  let bootReadings = 0;
  const now = awakeClock({
    monotonic: () => time.monotonic,
    wall: () => time.wall,
    sinceBoot: () => {
      bootReadings += 1;
      return time.boot;
    },
  });
  const pass = (ms: number, { isAsleep = false }: { isAsleep?: boolean } = {}) => {
    if (!isAsleep) time.monotonic += ms;
    time.wall += ms;
    time.boot += ms;
  };
  return { time, now, pass, bootReadings: () => bootReadings };
}

describe("a clock that counts sleep", () => {
  it("goes with the monotonic clock while the machine is awake, and asks nothing dear", () => {
    const { now, pass, bootReadings } = machine();
    const start = now();
    for (let step = 0; step < 100; step += 1) {
      pass(250);
      now();
    }
    expect(now() - start).toBe(25_000);
    expect(bootReadings()).toBe(1);
  });

  it("has moved on by the whole sleep at the first look after it", () => {
    const { now, pass } = machine();
    const start = now();
    pass(60_000, { isAsleep: true });
    expect(now() - start).toBe(60_000);
    pass(100);
    expect(now() - start).toBe(60_100);
    pass(5000, { isAsleep: true });
    expect(now() - start).toBe(65_100);
  });

  it("loses nothing over a step of the wall clock, forward or back", () => {
    const { time, now, pass } = machine();
    const start = now();
    time.wall += 3_600_000;
    expect(now() - start).toBe(0);
    time.wall -= 7_200_000;
    pass(10);
    expect(now() - start).toBe(10);
  });

  it("tells a sleep and a step apart when both happen between two looks", () => {
    const { time, now, pass } = machine();
    const start = now();
    pass(30_000, { isAsleep: true });
    time.wall -= 3_600_000;
    expect(now() - start).toBe(30_000);
  });

  it("never goes back, also with a coarse boot clock", () => {
    const { time, now, pass } = machine();
    let last = now();
    for (let step = 0; step < 1000; step += 1) {
      pass(step % 7, { isAsleep: step % 5 === 0 });
      time.wall += step % 3 === 0 ? 90 : -45;
      time.boot = Math.floor(time.boot / 10) * 10 + 10;
      const seen = now();
      expect(seen).toBeGreaterThanOrEqual(last);
      last = seen;
    }
  });

  it("has a real boot clock to go by on this machine", () => {
    expect(uptime()).toBeGreaterThan(0);
  });
});
