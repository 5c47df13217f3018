/** One key on one node, as a layout sees it. */
export interface Sighting {
  readonly key: string;
  /** Redis type name. */
  readonly type: string;
  /** Bytes of a string value, one character per byte (latin-1); null when it is not a string or too long to be a token. */
  readonly value: string | null;
  readonly hasExpiry: boolean;
}

/** How sure a recognition is. certain: nobody else writes this. probable: one family does. possible: it merely fits. */
export type Confidence = "certain" | "probable" | "possible";

/** What may be done to such a lock from outside. */
export type OutsideRelease =
  | { readonly kind: "compare_and_delete" }
  /** Deleting it would do harm; `reason` is a sentence for the operator. */
  | { readonly kind: "refused"; readonly reason: string };

/** What a layout found out about a key. */
export interface Recognition {
  readonly id: string;
  /** The client software, in words. */
  readonly label: string;
  readonly confidence: Confidence;
  /** Who holds it, where the value tells: host, process, time. Never the token itself. */
  readonly holderLabel: string | null;
  readonly release: OutsideRelease;
}

/** How one family of clients writes its lock keys. */
export interface Layout {
  /** @returns null when the key is not of this family */
  recognise(sighting: Sighting): Recognition | null;
}

/** Released by comparing with the value that was seen: the rule for every plain string lock. */
export const COMPARE_AND_DELETE: OutsideRelease = { kind: "compare_and_delete" };

/**
 * A layout of string keys told by their value, by their key, or by both.
 *
 * @param key must match the key when given
 * @param value must match the value when given
 * @param holder names the holder from the match of `value`
 */
export function stringLayout({
  id,
  label,
  confidence,
  key,
  value,
  holder,
  release = COMPARE_AND_DELETE,
}: {
  readonly id: string;
  readonly label: string;
  readonly confidence: Confidence;
  readonly key?: RegExp;
  readonly value?: RegExp;
  readonly holder?: (match: RegExpExecArray) => string | null;
  readonly release?: OutsideRelease;
}): Layout {
  return {
    recognise(sighting) {
      if (sighting.type !== "string") return null;
      if (key !== undefined && !key.test(sighting.key)) return null;
      const match = value === undefined || sighting.value === null ? null : value.exec(sighting.value);
      if (value !== undefined && match === null) return null;
      return { id, label, confidence, holderLabel: match === null ? null : (holder?.(match) ?? null), release };
    },
  };
}
