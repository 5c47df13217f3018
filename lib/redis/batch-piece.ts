import type { Asked } from "./batch-item";
import { counterKey } from "./fence-scripts";
import { keyArgument } from "./key-bytes";
import { type Argument, bulk } from "./wire";

/** A request's own words as they go over the wire. */
export interface Piece {
  readonly keyCount: number;
  /** Of a fenced one its counters follow. */
  readonly keys: string;
  readonly token: string;
  /** The fence proposed and the limit; empty without. */
  readonly proposal: string;
}

let lastAsked: Asked | null = null;
let lastPrefix = "";
let lastPiece: Piece = { keyCount: 0, keys: "", token: "", proposal: "" };

/**
 * The piece of a request. All nodes are asked the same one, one after another: what was made for the last request is kept.
 *
 * @param keyPrefix what the client puts before every key
 */
export function pieceOf(asked: Asked, keyPrefix: string): Piece {
  if (asked === lastAsked && keyPrefix === lastPrefix) return lastPiece;
  lastAsked = asked;
  lastPrefix = keyPrefix;
  lastPiece = newPiece(asked, keyPrefix);
  return lastPiece;
}

function newPiece(asked: Asked, keyPrefix: string): Piece {
  const { resources, token } = asked;
  const proposal = "proposal" in asked ? asked.proposal : undefined;
  let keys = "";
  for (const resource of resources) keys += bulk(prefixed(keyPrefix, keyArgument(resource)));
  if (proposal === undefined) return { keyCount: resources.length, keys, token: bulk(token), proposal: "" };
  for (const resource of resources) keys += bulk(prefixed(keyPrefix, counterKey(resource)));
  const text = bulk(proposal.fence) + bulk(proposal.limit);
  return { keyCount: 2 * resources.length, keys, token: bulk(token), proposal: text };
}

/** A key behind what the client puts before every key. */
export function prefixed(keyPrefix: string, key: Argument): Argument {
  if (keyPrefix === "") return key;
  return typeof key === "object" ? Buffer.concat([Buffer.from(keyPrefix), key]) : `${keyPrefix}${key}`;
}
