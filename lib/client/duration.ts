const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Kept: `toLocaleString` makes one anew, for each of the rows that scroll by. */
const DIGITS = new Intl.NumberFormat("en-US");

/** Every digit there is, for the hover text of a shortened value. @param ms milliseconds */
export function formatExactly(ms: number): string {
  return `${DIGITS.format(Math.round(ms))} ms`;
}

/** A time on the network, where tenths of a millisecond matter. @param ms milliseconds; null = never measured */
export function formatRoundTrip(ms: number | null): string {
  if (ms === null) return "–";
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}

/**
 * Reads `500ms`, `30s`, `5m`, `1.5h`, `1d`.
 *
 * @returns milliseconds; null when it is not such a text. A bare number is refused: nobody agrees on its unit.
 */
export function parseDuration(text: string): number | null {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)\s*$/i.exec(text);
  const unit = UNIT_MS[match?.[2]?.toLowerCase() ?? ""];
  return match?.[1] === undefined || unit === undefined ? null : Math.round(Number(match[1]) * unit);
}
