import { eventStream, refuseOthers, route, streamHead } from "@/lib/http";

// GET /api/v1/events: server-sent events: a snapshot, then differences.
export const GET = route({ run: ({ signal }, runtime) => eventStream(runtime, signal) });

export const HEAD = route({ run: streamHead });

export const { POST, PUT, PATCH, DELETE } = refuseOthers("GET");
