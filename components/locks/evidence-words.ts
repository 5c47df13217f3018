import type { Evidence } from "@/lib/contract";

/** The kinds of evidence in two or three words. */
export const EVIDENCE_WORDS: Readonly<Record<Evidence["kind"], string>> = {
  held_long: "held far longer than usual",
  never_renewed: "never renewed",
  no_expiry: "no expiry",
  minority: "on a minority",
  uneven_expiry: "uneven expiry",
  above_max_ttl: "longer than allowed",
};
