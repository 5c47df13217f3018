const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

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
