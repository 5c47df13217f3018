import type { ErrorCode } from "@/lib/contract";

/** What can go wrong with a request, seen from the browser: the server's codes and the ones of the way there. */
export type ApiErrorCode = ErrorCode | "console_unreachable" | "console_timeout" | "unreadable_answer";

const NEXT_STEPS: Readonly<Record<ApiErrorCode, string>> = {
  invalid_request: "Correct the marked value and try again.",
  unauthenticated: "Sign in, then try again.",
  forbidden: "Ask somebody who has the permission.",
  read_only: "This console only shows. Use one that is not started with REDLOCK_READ_ONLY.",
  cross_origin: "Open the console under the address it was started with, then try again.",
  not_found: "Go back to the list; it may have gone.",
  method_not_allowed: "Reload the page: it may be older than the console it talks to.",
  lock_changed: "Look at the lock as it is now, then decide again.",
  layout_refused: "Let its own client release it, or wait until it expires.",
  not_embedded: "Stop and start this node with the tools of the machine it runs on.",
  guard_off: "Nothing has to be done: every node that answers votes.",
  lab_busy: "Watch the run that is on, or take it over and stop it.",
  lab_unavailable: "Do what the sentence says, then try again.",
  too_many_requests: "Wait a few seconds, then try again.",
  internal: "Try again. If it stays, report the request id: the console's log has the cause under it.",
  quorum_unreachable: "See on the Nodes page which nodes are silent, and bring them back.",
  console_unreachable: "Check that the console still runs and that this browser can reach it; the page keeps trying.",
  console_timeout: "Try again. What was asked may have happened all the same: look at the lock first.",
  unreadable_answer: "Something between here and the console changed the answer; check proxies, then reload the page.",
};

/** A request that failed. `message` says what happened, `nextStep` what to do about it. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ApiErrorCode;
  /** Null when the console never answered. */
  readonly requestId: string | null;
  readonly details: unknown;

  constructor(
    code: ApiErrorCode,
    message: string,
    options: { readonly requestId?: string; readonly details?: unknown; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.requestId = options.requestId ?? null;
    this.details = options.details;
  }

  /** What the reader can do now. */
  get nextStep(): string {
    return NEXT_STEPS[this.code];
  }
}

/** @returns the server's code when this browser knows it, else `internal`: a newer server may have more */
export function knownCode(code: string): ApiErrorCode {
  return Object.hasOwn(NEXT_STEPS, code) ? (code as ApiErrorCode) : "internal";
}

/** Anything caught, as an ApiError: one shape for every failed look. */
export function asApiError(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  return new ApiError("internal", cause instanceof Error ? cause.message : "Something went wrong in this page.", {
    cause,
  });
}
