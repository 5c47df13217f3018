import { eventsQuerySchema } from "@/lib/contract";
import { eventStream, refuseOthers, route, streamHead } from "@/lib/http";

// GET /api/v1/events: server-sent events: a snapshot, then differences; with a limit only of what a page shows.
export const GET = route({
  query: eventsQuerySchema,
  run: ({ query, signal }, runtime) => eventStream(runtime, query, signal),
});

export const HEAD = route({ run: streamHead });

export const { POST, PUT, PATCH, DELETE } = refuseOthers("GET");
