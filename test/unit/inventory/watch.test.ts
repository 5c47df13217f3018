import { expect, test } from "vitest";
import { SightingTable } from "@/lib/inventory/table";
import { NodeWatch } from "@/lib/inventory/watch";
import { KNOWN_LAYOUTS } from "@/lib/layouts";
import { VirtualClock } from "@/lib/redlock";
import { ToldMaster } from "../../support/told-master";

test("a node that hung is believed as soon as it answers, not only at the next beat or reading", async () => {
  const clock = new VirtualClock();
  const master = new ToldMaster("a");
  const watch = new NodeWatch({
    master,
    clock,
    table: new SightingTable(1, clock.now()),
    place: 0,
    layouts: KNOWN_LAYOUTS,
    patterns: ["*"],
    keeps: () => true,
    listener: { keyChanged: () => undefined, wordChanged: () => undefined, scanChanged: () => undefined },
    verifyEveryMs: 3_600_000,
    isActive: () => true,
  });
  void watch.run();
  master.feed.armed();
  await clock.advance(500);
  await watch.beat();
  expect(watch.scan).toMatchObject({ state: "complete", mode: "tracking" });

  await clock.advance(500);
  master.isAnswering = false;
  master.fault = { kind: "timeout" };
  const beat = watch.beat();
  await clock.advance(3000);
  await beat;
  expect(watch.scan).toMatchObject({ state: "running", mode: "polling" });

  master.fault = null;
  // Reading a large node takes long.
  master.scan = () => new Promise(() => undefined);
  master.answer();
  await clock.advance(1);
  expect(watch.scan).toMatchObject({ state: "complete", mode: "tracking" });
  watch.stop();
});
