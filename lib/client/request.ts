import type { ErrorBody } from "@/lib/contract";
import { ApiError, knownCode } from "./api-error";

/** A console that is alive answers far sooner; a reading costs at most one node time limit. */
const TIMEOUT_MS = 10_000;

interface RequestOptions {
  readonly method?: "GET" | "POST" | "DELETE";
  readonly body?: unknown;
  /** On top of the usual limit, for requests that wait on purpose, milliseconds. */
  readonly extraTimeoutMs?: number;
}

/**
 * One call of the API.
 *
 * @param path below the origin, with `/api/v1`
 * @returns the `data` of the answer
 * @throws ApiError always, whatever went wrong
 */
export async function request<Data>(path: string, options: RequestOptions = {}): Promise<Data> {
  const { method = "GET", body, extraTimeoutMs = 0 } = options;
  const response = await send(path, {
    method,
    cache: "no-store",
    signal: AbortSignal.timeout(TIMEOUT_MS + extraTimeoutMs),
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  const answer = await parse(response);
  if (response.ok && "data" in answer) return answer.data as Data;
  if ("error" in answer) throw fromBody(answer as ErrorBody);
  throw unreadable(response.status);
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (cause) {
    const isTimeout = cause instanceof DOMException && cause.name === "TimeoutError";
    throw isTimeout
      ? new ApiError("console_timeout", "The console did not answer in time.", { cause })
      : new ApiError("console_unreachable", "The console cannot be reached.", { cause });
  }
}

async function parse(response: Response): Promise<object> {
  try {
    const answer: unknown = await response.json();
    if (typeof answer === "object" && answer !== null) return answer;
  } catch (cause) {
    throw unreadable(response.status, cause);
  }
  throw unreadable(response.status);
}

function unreadable(status: number, cause?: unknown): ApiError {
  return new ApiError("unreadable_answer", `The answer (status ${status}) is not one of this console.`, { cause });
}

function fromBody({ error }: ErrorBody): ApiError {
  return new ApiError(knownCode(error.code), error.message, { requestId: error.requestId, details: error.details });
}
