import type { LabScenarioId } from "@/lib/contract";
import type { Scenario } from "../scenario";
import { clocks } from "./clocks";
import { contention } from "./contention";
import { crashRestart } from "./crash-restart";
import { extension } from "./extension";
import { failover } from "./failover";
import { fiveMasters } from "./five-masters";
import { hungNode } from "./hung-node";
import { restartAlways, restartEverysec } from "./kept-votes";
import { operatorHand } from "./operator-hand";
import { partition } from "./partition";
import { replyLost } from "./reply-lost";
import { sandbox } from "./sandbox";
import { singleInstance } from "./single-instance";
import { sleepingClient } from "./sleeping-client";
import { validity } from "./validity";

/** Every scenario there is, in the order in which they are best seen. */
export const SCENARIOS: Readonly<Record<LabScenarioId, Scenario>> = {
  "single-instance": singleInstance,
  failover,
  "five-masters": fiveMasters,
  "hung-node": hungNode,
  "reply-lost": replyLost,
  contention,
  validity,
  "sleeping-client": sleepingClient,
  "crash-restart": crashRestart(),
  "restart-always": restartAlways,
  "restart-everysec": restartEverysec,
  extension,
  partition,
  clocks,
  "operator-hand": operatorHand,
  sandbox,
};
