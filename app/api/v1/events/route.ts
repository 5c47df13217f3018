import { eventStream, refuseOthers, route } from "@/lib/http";

// GET /api/v1/events: server-sent events: a snapshot, then differences.
export const GET = route({ run: ({ signal }, runtime) => eventStream(runtime, signal) });

// Next would answer HEAD with a stream that nobody reads.
export const HEAD = route({
  run: () => new Response(null, { headers: { "content-type": "text/event-stream; charset=utf-8" } }),
});

export const { POST, PUT, PATCH, DELETE } = refuseOthers("GET");
