import { getRuntime } from "@/lib/runtime";
import { fail, safeError, succeed } from "./envelope";
import { REQUEST_ID_HEADER, requestIdOf } from "./request-id";

/** A probe wants an answer soon: so long the console may still be starting before it says so, milliseconds. */
const STARTING_MS_MAX = 500;

/** The process lives. Touches no Redis and starts nothing. */
export async function liveness(request: Request): Promise<Response> {
  return succeed({ status: "alive" }, requestIdOf(request));
}

/**
 * Answers 200 once the configuration is valid and the first reading is done, 503 before. A lost quorum does not fail it: the
 * console is there to show that.
 */
export async function readiness(request: Request): Promise<Response> {
  const requestId = requestIdOf(request);
  try {
    const isReady = await Promise.race([
      getRuntime().then(() => true),
      new Promise<false>((resolve) => {
        setTimeout(() => resolve(false), STARTING_MS_MAX).unref();
      }),
    ]);
    return isReady ? succeed({ status: "ready" }, requestId) : starting(requestId);
  } catch (error) {
    return fail(safeError(error), requestId);
  }
}

function starting(requestId: string): Response {
  const error = { code: "internal", message: "The console is still starting.", requestId };
  return Response.json({ error }, { status: 503, headers: { [REQUEST_ID_HEADER]: requestId, "retry-after": "1" } });
}
