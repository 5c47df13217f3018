// Absolute and relative time as people read it. Everything here is Intl with one fixed language: the words around it are English too.

/** In whose clock absolute times are shown. */
export type Zone = "local" | "utc";

const LOCALE = "en-GB";

interface Formats {
  readonly time: Intl.DateTimeFormat;
  readonly day: Intl.DateTimeFormat;
  readonly dayOfYear: Intl.DateTimeFormat;
  readonly whole: Intl.DateTimeFormat;
}

const FORMATS: Readonly<Record<Zone, Formats>> = { local: formatsIn(undefined), utc: formatsIn("UTC") };

function formatsIn(timeZone: string | undefined): Formats {
  const time = {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    timeZoneName: "short",
  } as const;
  const day = { timeZone, day: "numeric", month: "short" } as const;
  return {
    time: new Intl.DateTimeFormat(LOCALE, time),
    day: new Intl.DateTimeFormat(LOCALE, day),
    dayOfYear: new Intl.DateTimeFormat(LOCALE, { ...day, year: "numeric" }),
    whole: new Intl.DateTimeFormat(LOCALE, {
      ...day,
      ...time,
      weekday: "short",
      year: "numeric",
      fractionalSecondDigits: 3,
    }),
  };
}

/**
 * A moment with its zone, for example `14:03:22 UTC`; the day in front where it is not today's.
 *
 * @param at epoch milliseconds
 * @param nowMs epoch milliseconds of the same clock; null = not known, then the day is always said
 */
export function formatMoment(at: number, zone: Zone, nowMs: number | null): string {
  const { time, day, dayOfYear } = FORMATS[zone];
  const clock = time.format(at);
  const today = nowMs === null ? null : dayOfYear.format(nowMs);
  const itsDay = dayOfYear.format(at);
  if (itsDay === today) return clock;
  const isThisYear = today === null || today.slice(-4) === itsDay.slice(-4);
  return `${isThisYear ? day.format(at) : itsDay} ${clock}`;
}

/** Every digit there is, for the hover text. @param at epoch milliseconds */
export function formatMomentExactly(at: number, zone: Zone): string {
  return FORMATS[zone].whole.format(at);
}

/** Short name of the zone at that moment: `UTC`, `CET`, `GMT+5:30`. @param at epoch milliseconds */
export function zoneName(zone: Zone, at: number): string {
  return FORMATS[zone].time.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? zone;
}

const RELATIVE = new Intl.RelativeTimeFormat(LOCALE, { numeric: "always", style: "short" });

/** Largest first; an age is said in the first unit it fills. */
const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
] as const;

/** How long ago, in one unit: `3 min ago`. Too coarse for a lock's time left, right for a record. @param ageMs milliseconds */
export function formatAgo(ageMs: number): string {
  const [unit, unitMs] = UNITS.find(([, size]) => ageMs >= size) ?? ["second", 1000];
  const count = Math.floor(Math.max(0, ageMs) / unitMs);
  return count === 0 ? "just now" : RELATIVE.format(-count, unit);
}
