import type { LabEvent, LabLink } from "@/lib/contract";

/** What is wrong between a client and a node, the worst first. */
export type LinkLook = "cut" | "refused" | "deaf" | "late";

/** The way between a client and a node, where it is not simply open. */
export interface SceneLink {
  readonly client: string;
  readonly node: string;
  readonly look: LinkLook;
  /** All that is wrong with it, in a word or two. */
  readonly text: string;
}

/** Ways that are not simply open, as the faults so far have left them. */
export function linksAt(past: readonly LabEvent[]): readonly SceneLink[] {
  const latest = new Map<string, LabLink>();
  for (const event of past) {
    if (event.kind !== "fault") continue;
    for (const link of event.links) latest.set(`${link.client} ${link.node}`, link);
  }
  return [...latest.values()].flatMap((link) => {
    const troubles = troublesOf(link);
    const [worst] = troubles;
    if (worst === undefined) return [];
    const text = troubles.map((trouble) => trouble.text).join(", ");
    return [{ client: link.client, node: link.node, look: worst.look, text }];
  });
}

/** The links of one client in words: nodes with the same trouble together. */
export function linkWords(links: readonly SceneLink[]): string {
  const byText = new Map<string, string[]>();
  for (const { node, text } of links) byText.set(text, [...(byText.get(text) ?? []), node]);
  return [...byText].map(([text, nodes]) => `${nodes.join(", ")} ${text}`).join("; ");
}

function troublesOf({ way, isDeaf, lateMs }: LabLink): readonly { readonly look: LinkLook; readonly text: string }[] {
  return [
    ...(way === "cut" ? [{ look: "cut" as const, text: "black hole" }] : []),
    ...(way === "refused" ? [{ look: "refused" as const, text: "refused" }] : []),
    ...(isDeaf ? [{ look: "deaf" as const, text: "replies lost" }] : []),
    ...(lateMs > 0 ? [{ look: "late" as const, text: `+${Math.round(lateMs)} ms` }] : []),
  ];
}
