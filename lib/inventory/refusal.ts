/** A refusal that will still be one in a while, and one that passes, milliseconds. */
const LASTING_MS = 60_000;
const PASSING_MS = 1000;

/** What the server says while it cannot yet, or just now cannot. */
const PASSING = /: (?:LOADING|BUSY|MASTERDOWN|TRYAGAIN|OOM)\b/;

/** How long to wait before the server is asked again to tell of changes. @param reason its own words behind a colon */
export function retryAfterMs(reason: string): number {
  return PASSING.test(reason) ? PASSING_MS : LASTING_MS;
}

/** Why a server does not tell of changes, with the next step where there is one. */
export function refusalSentence(reason: string): string {
  if (reason.includes("NOPERM")) {
    return `${reason}. Allow it with +client|id +client|tracking +subscribe +ping &__redis__:invalidate`;
  }
  if (reason.includes("unknown") || reason.includes("Unknown")) return `${reason}. It takes Redis 6 or Valkey`;
  return reason;
}
