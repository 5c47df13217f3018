import { labViewerQuerySchema } from "@/lib/contract";
import { labStream, refuseOthers, route, streamHead } from "@/lib/http";

// GET /api/v1/lab/events: server-sent events: the run with its record so far, then what is added.
export const GET = route({
  query: labViewerQuerySchema,
  run: ({ query, signal }, runtime) => labStream(runtime, signal, query.viewer ?? null),
});

export const HEAD = route({ query: labViewerQuerySchema, run: streamHead });

export const { POST, PUT, PATCH, DELETE } = refuseOthers("GET");
