import * as z from "zod";
import { AppError } from "@/lib/contract";
import { getRuntime, log, type Runtime } from "@/lib/runtime";
import { fail, safeError, succeed } from "./envelope";
import { jsonBodyOf, parseInput, queryOf, rawParams } from "./input";
import { guardOrigin } from "./origin";
import { requestIdOf } from "./request-id";

/** What Next calls: the request, and the parameters of its path. */
export type RouteHandler = (request: Request, context: { readonly params: Promise<unknown> }) => Promise<Response>;

/** Checked input of one request. */
export interface RouteInput<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Fires when the sender went away. */
  readonly signal: AbortSignal;
}

const nothing = z.strictObject({});
const anything = z.unknown();

/**
 * A route handler: checks origin, read-only mode and input, calls `run`, and wraps what it returns or throws.
 *
 * @param write the route changes something
 * @param params, query, body schemas; a query that is not declared is refused, a body that is not declared is not read
 * @param run returns the data of the answer, or a whole response for a stream; throws AppError
 */
export function route<
  Params extends z.ZodType = typeof anything,
  Query extends z.ZodType = typeof nothing,
  Body extends z.ZodType = typeof anything,
>({
  write = false,
  params,
  query,
  body,
  run,
}: {
  readonly write?: boolean;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly run: (
    input: RouteInput<z.output<Params>, z.output<Query>, z.output<Body>>,
    runtime: Runtime,
  ) => unknown | Promise<unknown>;
}): RouteHandler {
  return async (request, context) => {
    const requestId = requestIdOf(request);
    try {
      const runtime = await getRuntime();
      guardOrigin(request, write, runtime.originPolicy);
      if (write && runtime.config.readOnly) {
        throw new AppError("read_only", "This console is read-only: REDLOCK_READ_ONLY is set.");
      }
      const input = {
        params: parseInput(params ?? anything, rawParams(request, await context.params), "path"),
        query: parseInput(query ?? nothing, queryOf(request), "query"),
        body: body === undefined ? undefined : parseInput(body, await jsonBodyOf(request), "body"),
        signal: request.signal,
      } as RouteInput<z.output<Params>, z.output<Query>, z.output<Body>>;
      return succeed(await run(input, runtime), requestId);
    } catch (error) {
      return refuse(error, request, requestId);
    }
  };
}

/** The handler of every path that does not exist. */
export const notFound: RouteHandler = async (request) =>
  fail(new AppError("not_found", "There is nothing at this path of the API."), requestIdOf(request));

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Handlers that refuse every method a route does not have: Next alone would answer without an envelope. */
export function refuseOthers(...allowed: readonly (typeof METHODS)[number][]): Record<string, RouteHandler> {
  const refusal: RouteHandler = async (request) => {
    const error = new AppError(
      "method_not_allowed",
      `${request.method} is not possible here, ${allowed.join(" or ")} is.`,
    );
    const response = fail(error, requestIdOf(request));
    response.headers.set("allow", allowed.join(", "));
    return response;
  };
  return Object.fromEntries(METHODS.filter((method) => !allowed.includes(method)).map((method) => [method, refusal]));
}

function refuse(error: unknown, request: Request, requestId: string): Response {
  const shown = safeError(error);
  if (shown.status >= 500) {
    const { pathname } = new URL(request.url);
    const fields = { requestId, method: request.method, path: pathname, code: shown.code };
    log(shown.code === "internal" ? "error" : "warn", "A request failed.", fields, shown.cause);
  }
  return fail(shown, requestId);
}
