import type { Asked } from "./batch-item";
import { keyArgument } from "./key-bytes";
import { type Argument, bulk } from "./wire";

/** A request's keys and token as they go over the wire. */
export interface Piece {
  readonly keys: string;
  readonly token: string;
}

let lastAsked: Asked | null = null;
let lastPrefix = "";
let lastPiece: Piece = { keys: "", token: "" };

/**
 * The piece of a request. All nodes are asked the same one, one after another: what was made for the last request is kept.
 *
 * @param keyPrefix what the client puts before every key
 */
export function pieceOf(asked: Asked, keyPrefix: string): Piece {
  if (asked === lastAsked && keyPrefix === lastPrefix) return lastPiece;
  let keys = "";
  for (const resource of asked.resources) keys += bulk(prefixed(keyPrefix, keyArgument(resource)));
  lastAsked = asked;
  lastPrefix = keyPrefix;
  lastPiece = { keys, token: bulk(asked.token) };
  return lastPiece;
}

/** A key behind what the client puts before every key. */
export function prefixed(keyPrefix: string, key: Argument): Argument {
  if (keyPrefix === "") return key;
  return typeof key === "object" ? Buffer.concat([Buffer.from(keyPrefix), key]) : `${keyPrefix}${key}`;
}
