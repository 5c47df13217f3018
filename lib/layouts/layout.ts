import type { Bytes } from "./bytes";
import { compareAndDelete, type Release, type ReleaseStep, refused } from "./release";
import type { WaiterProbe } from "./waiters";

/** One key on one node, as a layout sees it. */
export interface Sighting {
  readonly key: string;
  /** Redis type name. */
  readonly type: string;
  /** Value of a string; null when it is not a string or too long to be a token. */
  readonly value: Bytes | null;
  /** What is in a hash, sorted set, list or set, as far as it was read; null for every other type. */
  readonly elements: { readonly size: number; readonly words: readonly Bytes[] } | null;
  readonly hasExpiry: boolean;
}

/** How sure a recognition is. certain: nobody else writes this. probable: one family does. possible: it merely fits. */
export type Confidence = "certain" | "probable" | "possible";

/** What a layout found out about a key. */
export interface Recognition {
  readonly id: string;
  /** The client software, in words. */
  readonly label: string;
  readonly confidence: Confidence;
  /** Who holds it, where the value tells: host, process, thread, time. Never the token itself. */
  readonly holderLabel: string | null;
  /** Where each node has another owner for one and the same lock: what is the same on all of them. */
  readonly group?: string;
}

/** A recognised key with what may not be shown. */
export interface Identity {
  readonly recognition: Recognition;
  /** What stands for the holder on this node: the token, or the part of the key's content that says who it is. Secret. */
  readonly owner: Bytes | null;
  /** The owner is the whole value of a string that its clients only compare, so an operator may swap it. */
  readonly isRevocable: boolean;
  release(): Release;
}

/** How one family of clients writes its lock keys. */
export interface Layout {
  readonly id: string;
  /** Redis type of its keys; it is asked about no other. */
  readonly type: string;
  /** These clients lock on one server, never on a majority of several: one node is all there is to see. */
  readonly isOneServer?: boolean;
  /** @returns null when the key is not of this family */
  identify(sighting: Sighting): Identity | null;
  /** Where those who wait for such a lock can be seen. Left out where they cannot. */
  waiters?(key: string): WaiterProbe | null;
}

interface StringLayout {
  readonly id: string;
  readonly label: string;
  readonly confidence: Confidence;
  /** Must match the key when given. */
  readonly key?: RegExp;
  /** Must match the value when given. */
  readonly value?: RegExp;
  /** Names the holder from the match of `value`; null when it is no match after all. */
  readonly holder?: (match: RegExpExecArray) => string | null;
  /** A last look at what the patterns cannot say. */
  readonly isLikely?: (sighting: Sighting & { readonly value: Bytes }) => boolean;
  /** To be done after the key was deleted. */
  readonly wake?: (key: string, value: Bytes) => readonly ReleaseStep[];
  /** Why it must not be released from outside. */
  readonly refusal?: string;
  readonly waiters?: (key: string) => WaiterProbe | null;
  readonly isOneServer?: boolean;
}

/** A layout of string keys told by their value, by their key, or by both. */
export function stringLayout(layout: StringLayout): Layout {
  const { id, label, confidence, wake, refusal, waiters, isOneServer = false } = layout;
  return {
    id,
    type: "string",
    isOneServer,
    ...(waiters === undefined ? {} : { waiters }),
    identify(sighting) {
      const match = matchOf(layout, sighting);
      if (match === null) return null;
      const { key, value } = sighting;
      const holderLabel = match === "key" ? null : (layout.holder?.(match) ?? null);
      return {
        recognition: { id, label, confidence, holderLabel },
        owner: value,
        isRevocable: refusal === undefined,
        release() {
          if (refusal !== undefined) return refused(refusal);
          return value === null ? refused("Its value is too long to be compared.") : deleted(key, value);
        },
      };
    },
  };

  function deleted(key: string, value: Bytes): Release {
    return compareAndDelete(key, value, wake?.(key, value));
  }
}

/** @returns the match of the value, `key` when the layout asks for none, or null */
function matchOf({ key, value, isLikely }: StringLayout, sighting: Sighting): RegExpExecArray | "key" | null {
  if (key !== undefined && !key.test(sighting.key)) return null;
  if (value === undefined) return "key";
  if (sighting.value === null) return null;
  const match = value.exec(sighting.value);
  const fits = match !== null && (isLikely?.({ ...sighting, value: sighting.value }) ?? true);
  return fits ? match : null;
}

/** Field and value, or member and score, one after the other. */
export function pairsOf({ elements }: Sighting): readonly (readonly [Bytes, Bytes])[] {
  const words = elements?.words ?? [];
  return words.flatMap((word, index) => (index % 2 === 0 ? [[word, words[index + 1] ?? ""] as const] : []));
}

/** One owner for several who hold together, whatever the order they are listed in. */
export function jointOwner(owners: readonly Bytes[]): Bytes {
  return [...owners].sort().join("\n");
}
