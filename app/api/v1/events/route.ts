import { eventsQuerySchema } from "@/lib/contract";
import { eventStream, refuseOthers, route } from "@/lib/http";

// GET /api/v1/events: server-sent events: a snapshot, then differences; with a limit only of what a page shows.
export const GET = route({
  query: eventsQuerySchema,
  run: ({ query, signal }, runtime) => eventStream(runtime, query, signal),
});

// Next would answer HEAD with a stream that nobody reads.
export const HEAD = route({
  run: () => new Response(null, { headers: { "content-type": "text/event-stream; charset=utf-8" } }),
});

export const { POST, PUT, PATCH, DELETE } = refuseOthers("GET");
