import { AppError } from "@/lib/contract";
import { REQUEST_ID_HEADER } from "./request-id";

const NO_STORE = "no-store";

/** `{ "data": … }`, or what `data` is when it is a whole response (a stream), marked with the request's id. */
export function succeed(data: unknown, requestId: string): Response {
  if (data instanceof Response) {
    data.headers.set(REQUEST_ID_HEADER, requestId);
    return data;
  }
  return Response.json({ data }, { headers: headersOf(requestId) });
}

/** `{ "error": … }` with the status of its code. */
export function fail(error: AppError, requestId: string): Response {
  const { code, message, details, status } = error;
  const body = { error: { code, message, requestId, ...(details === undefined ? {} : { details }) } };
  return Response.json(body, { status, headers: headersOf(requestId) });
}

/**
 * The error a sender may see. What is not an AppError is our bug: its text could hold anything, so none of it is passed on.
 *
 * @param error whatever was thrown
 */
export function safeError(error: unknown): AppError {
  if (AppError.is(error)) return error;
  return new AppError("internal", "The console made a mistake. Its log has the details under this request id.", {
    cause: error,
  });
}

function headersOf(requestId: string): Record<string, string> {
  return { [REQUEST_ID_HEADER]: requestId, "cache-control": NO_STORE };
}
