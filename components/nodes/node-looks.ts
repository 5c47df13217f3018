import type { ClusterNode } from "@/lib/contract";
import type { Tone } from "../ui/badge";

/** One word for a node, its tone, and how its pip is drawn. */
export interface NodeLook {
  readonly word: string;
  readonly tone: Tone;
  /** Its vote counts now. */
  readonly isVoting: boolean;
}

/** What a node is, worst fact first: what was done to its process, then its state, then why it may not vote. */
export function nodeLook(node: ClusterNode): NodeLook {
  const { process, state, condition } = node;
  if (process !== null && process.state !== "running") {
    return { word: process.state, tone: process.state === "starting" ? "unk" : "bad", isVoting: false };
  }
  if (process?.link === "partitioned") return { word: "partitioned", tone: "bad", isVoting: false };
  if (state === "down") return { word: "down", tone: "bad", isVoting: false };
  if (state === "loading") return { word: "loading", tone: "unk", isVoting: false };
  if (node.quarantinedForMs > 0 || condition === "quarantined") {
    return { word: "quarantined", tone: "unk", isVoting: false };
  }
  if (condition === "drained") return { word: "drained", tone: "unk", isVoting: false };
  if (condition !== "admitted" && condition !== "degraded") {
    return { word: condition.replaceAll("_", " "), tone: "bad", isVoting: false };
  }
  if (state === "slow" || process?.link === "slow") return { word: "slow", tone: "risk", isVoting: true };
  if (condition === "degraded") return { word: "degraded", tone: "risk", isVoting: true };
  return { word: "up", tone: "ok", isVoting: true };
}
