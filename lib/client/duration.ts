const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY };

/**
 * A length of time as people read it: two units at most, tenths of a second below a minute.
 *
 * @param ms milliseconds; below zero counts as zero
 */
export function formatDuration(ms: number): string {
  const left = Math.max(0, ms);
  if (left < MINUTE) return `${(Math.floor(left / 100) / 10).toFixed(1)} s`;
  if (left < HOUR) return twoUnits(left, MINUTE, "m", SECOND, "s");
  if (left < DAY) return twoUnits(left, HOUR, "h", MINUTE, "m");
  return twoUnits(left, DAY, "d", HOUR, "h");
}

function twoUnits(ms: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((ms % large) / small);
  const head = `${Math.floor(ms / large)} ${largeUnit}`;
  return rest === 0 ? head : `${head} ${rest} ${smallUnit}`;
}

/** Every digit there is, for the hover text of a shortened value. @param ms milliseconds */
export function formatExactly(ms: number): string {
  return `${Math.round(ms).toLocaleString("en-US")} ms`;
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
