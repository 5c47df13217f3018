import { randomUUID } from "node:crypto";

export const REQUEST_ID_HEADER = "x-request-id";

/** Long enough for every tracing system, too narrow to smuggle anything into a log line. */
const SANE_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** The id the sender gave its request when it is a sane one, else a new one. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get(REQUEST_ID_HEADER);
  return given !== null && SANE_ID.test(given) ? given : randomUUID();
}
