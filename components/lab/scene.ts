import type { LabEvent, LabRun } from "@/lib/contract";
import { type Exchange, exchangeOf, type Tone, toneOf } from "./exchange";
import { linksAt, type SceneLink } from "./scene-links";

/** More cards than that say nothing; the lanes have all of them. */
const CLIENTS_MAX = 8;

type NodeEvent = Extract<LabEvent, { readonly kind: "node" }>;

/** A key that a node was seen to have. */
interface SceneKey {
  readonly resource: string;
  readonly holder: string;
  /** Of its time, how much is left; null = it has no end. */
  readonly expiry: { readonly leftMs: number; readonly share: number } | null;
}

export interface SceneNode {
  readonly name: string;
  readonly state: NodeEvent["state"];
  readonly keys: readonly SceneKey[];
}

/** What a client believes, and what the nodes that were seen say of it. */
export interface SceneBelief {
  readonly resource: string;
  readonly holder: string;
  readonly untilMs: number;
  /** How much of its time is left, from 1 to 0. */
  readonly left: number;
  /** Nodes that have the client's token. */
  readonly heldOn: number;
}

export interface SceneClient {
  readonly name: string;
  readonly text: string;
  readonly beliefs: readonly SceneBelief[];
  /** Its newest exchange with the nodes, as long as it is on the wires. */
  readonly exchange: Exchange | null;
  /** Its ways to nodes that are not simply open. */
  readonly links: readonly SceneLink[];
}

export interface Wire {
  readonly client: number;
  readonly node: number;
  readonly tone: "asked" | Tone;
}

/** What is between nodes and clients, by their places. */
export interface SceneWires {
  readonly nodes: number;
  readonly clients: number;
  readonly wires: readonly Wire[];
  readonly links: readonly (Pick<SceneLink, "look" | "text"> & { readonly client: number; readonly node: number })[];
}

/** Nodes, clients and what is between them at one moment. */
export interface Scene {
  readonly nodes: readonly SceneNode[];
  readonly clients: readonly SceneClient[];
  /** Clients without a card. */
  readonly more: number;
  readonly wires: SceneWires;
}

/** @param run whole, so that a request is seen under way although its outcome came later */
export function sceneOf({ events, claims }: Pick<LabRun, "events" | "claims">, atMs: number): Scene {
  const past = events.filter((event) => event.atMs <= atMs);
  const nodes = [...new Map(past.flatMap((event) => (event.kind === "node" ? [[event.node, event]] : []))).values()]
    .map(({ node, state, keys, atMs: seenMs }) => ({ name: node, state, keys: keys.map(keyAt(atMs - seenMs)) }))
    .sort((a, b) => a.name.localeCompare(b.name));
  const links = linksAt(past);
  const entered = past
    .filter((event) => event.kind === "client")
    .toSorted((a, b) => a.client.localeCompare(b.client, "en", { numeric: true }));
  const clients = entered.slice(0, CLIENTS_MAX).map(({ client: name, text }) => ({
    name,
    text,
    beliefs: claims
      .filter(({ client, fromMs, untilMs }) => client === name && fromMs <= atMs && atMs < untilMs)
      .map(({ id, resource }) => beliefOf({ id, resource, atMs }, past, nodes)),
    exchange: exchangeOf(name, events, atMs),
    links: links.filter(({ client }) => client === name).toSorted((a, b) => a.node.localeCompare(b.node)),
  }));
  return { nodes, clients, more: entered.length - clients.length, wires: betweenOf(nodes, clients) };
}

function betweenOf(nodes: readonly SceneNode[], clients: readonly SceneClient[]): SceneWires {
  const placeOf = (node: string) => nodes.findIndex(({ name }) => name === node);
  return {
    nodes: nodes.length,
    clients: clients.length,
    wires: clients.flatMap(wiresOf(nodes)),
    links: clients.flatMap(({ links }, client) =>
      links.flatMap(({ node, look, text }) => (placeOf(node) < 0 ? [] : [{ look, text, client, node: placeOf(node) }])),
    ),
  };
}

/** A key a little later: its time runs on although nobody looks. */
function keyAt(laterMs: number) {
  return ({ resource, holder, expiry }: NodeEvent["keys"][number]): SceneKey => {
    if (expiry === null) return { resource, holder, expiry };
    const leftMs = Math.max(0, expiry.leftMs - laterMs);
    return { resource, holder, expiry: { leftMs, share: Math.min(1, leftMs / Math.max(1, expiry.ofMs)) } };
  };
}

function beliefOf(
  { id, resource, atMs }: { readonly id: string; readonly resource: string; readonly atMs: number },
  past: readonly LabEvent[],
  nodes: readonly SceneNode[],
): SceneBelief {
  const holder = past.find((event) => event.kind === "granted" && event.id === id);
  // Whatever has an end of belief counts, so that an extension is seen when it happened and not before.
  const latest = past.findLast((event) => "untilMs" in event && "id" in event && event.id === id);
  const fingerprint = holder?.kind === "granted" ? holder.holder : "";
  const untilMs = latest !== undefined && "untilMs" in latest ? latest.untilMs : atMs;
  const fromMs = latest?.atMs ?? atMs;
  return {
    resource,
    holder: fingerprint,
    untilMs,
    left: Math.max(0, Math.min(1, (untilMs - atMs) / Math.max(1, untilMs - fromMs))),
    heldOn: nodes.filter(({ keys }) => keys.some((key) => key.resource === resource && key.holder === fingerprint))
      .length,
  };
}

function wiresOf(nodes: readonly SceneNode[]) {
  return ({ exchange }: SceneClient, client: number): readonly Wire[] =>
    (exchange?.votes ?? []).flatMap((vote) => {
      const node = nodes.findIndex(({ name }) => name === vote.node);
      const tone = exchange?.hasReplies === true ? toneOf(vote.kind) : "asked";
      return node < 0 ? [] : [{ client, node, tone }];
    });
}
