/** Every error code the API can answer with, and its HTTP status. The one table: routes, pages and documentation read it. */
export const ERROR_STATUS = {
  invalid_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  read_only: 403,
  cross_origin: 403,
  not_found: 404,
  method_not_allowed: 405,
  lock_changed: 409,
  layout_refused: 409,
  not_embedded: 409,
  guard_off: 409,
  lab_busy: 409,
  lab_unavailable: 409,
  too_many_requests: 429,
  internal: 500,
  quorum_unreachable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** A request that failed for a reason its sender can understand; `message` is safe to show, `cause` is for the log. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly details: unknown;

  constructor(
    code: ErrorCode,
    message: string,
    options: { readonly details?: unknown; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.details = options.details;
  }

  /**
   * Whether `value` is an error of this kind. Not `instanceof`: a production build has a copy of this class per bundle, and what the
   * runtime throws was made by another copy than the one a route compares with.
   */
  static is(value: unknown): value is AppError {
    return value instanceof Error && value.name === "AppError" && "code" in value && String(value.code) in ERROR_STATUS;
  }

  /** HTTP status of this error. */
  get status(): number {
    return ERROR_STATUS[this.code];
  }
}
