import type { Cluster } from "@/lib/contract";

/** What the number of nodes that may still fail means, and how bad that is. */
export function spareSentence({ canLose, quorum, voting }: Cluster): {
  readonly text: string;
  readonly color: string;
} {
  if (canLose < 0) {
    const missing = quorum - voting;
    return {
      text: `nothing can be acquired: ${missing} more ${missing === 1 ? "node is" : "nodes are"} needed`,
      color: "text-bad",
    };
  }
  if (canLose === 0) return { text: "no further failure is survived", color: "text-bad" };
  return { text: `can lose ${canLose} more`, color: canLose === 1 ? "text-risk" : "text-ok" };
}
