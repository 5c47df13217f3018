import { stringLayout } from "./layout";

const MARK = "revoked:";

/** Id of the layout of a revoked lock: nobody holds it, the value only keeps others out until the old promise has ended. */
export const REVOKED_LAYOUT_ID = "operator-revoke";

/**
 * The value an operator's revoke leaves behind.
 *
 * @param random makes it unique, so that a later compare-and-delete can mean this revoke and no other
 */
export function revokedValue(random: string): string {
  return MARK + random;
}

/** Locks that an operator of this console revoked. */
export const operatorRevoke = stringLayout({
  id: REVOKED_LAYOUT_ID,
  label: "revoked by an operator",
  confidence: "certain",
  value: /^revoked:[0-9a-f]{40}$/,
  holder: () => "revoked, keeps others out",
});
