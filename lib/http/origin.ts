import { AppError } from "@/lib/contract";

/** What the guard must know about how the console is reached. */
export interface OriginPolicy {
  /** Bound to a loopback address, and nobody allowed more. */
  readonly loopbackOnly: boolean;
  isLoopback(host: string): boolean;
}

/**
 * Refuses what another web site makes a browser send.
 *
 * A write is refused when `Origin` or `Sec-Fetch-Site` names another site. Programs send neither and pass. On a loopback
 * address also reads are refused when the browser was led here under a foreign name (DNS rebinding: the page of
 * `evil.example` whose name now points to 127.0.0.1 would count as the same origin).
 *
 * @throws AppError cross_origin
 */
export function guardOrigin(request: Request, isWrite: boolean, policy: OriginPolicy): void {
  const site = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  const isBrowser = site !== null || origin !== null;
  if (!isBrowser) return;

  const host = request.headers.get("host") ?? new URL(request.url).host;
  if (policy.loopbackOnly && !policy.isLoopback(nameOf(host))) {
    throw new AppError("cross_origin", `This console answers browsers as localhost only, not as ${nameOf(host)}.`);
  }
  if (!isWrite) return;
  const isForeignSite = site !== null && site !== "same-origin" && site !== "none";
  if (isForeignSite || (origin !== null && hostOf(origin) !== host)) {
    throw new AppError("cross_origin", "A page of another site asked for this change, so it was refused.");
  }
}

/** Host and port of an origin; null for the opaque origin `null` of sandboxed frames, which is never ours. */
function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}

function nameOf(host: string): string {
  return host.replace(/:\d+$/, "");
}
