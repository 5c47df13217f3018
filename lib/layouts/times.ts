/** Between the first day of the Gregorian calendar, from which UUIDs count, and 1970, milliseconds. */
const GREGORIAN_MS = 12_219_292_800_000;
const TICKS_PER_MS = 10_000n;

/** A time as text; "an unknown time" where the number is none. */
export function isoTime(epochMs: number): string {
  const time = new Date(epochMs);
  return Number.isNaN(time.getTime()) ? "an unknown time" : time.toISOString();
}

/**
 * When a version 1 UUID was made.
 *
 * @param hex 32 hexadecimal digits
 * @returns epoch milliseconds
 */
export function uuid1Ms(hex: string): number {
  const ticks = BigInt(`0x${hex.slice(13, 16)}${hex.slice(8, 12)}${hex.slice(0, 8)}`);
  return Number(ticks / TICKS_PER_MS) - GREGORIAN_MS;
}
