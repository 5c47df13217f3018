import { acquireBodySchema, locksQuerySchema } from "@/lib/contract";
import { refuseOthers, route } from "@/lib/http";

// GET /api/v1/locks: locks seen on any node, filtered, sorted, page by page.
export const GET = route({ query: locksQuerySchema, run: ({ query }, runtime) => runtime.inventory.list(query) });

// POST /api/v1/locks: acquire one or several resources as one lock.
export const POST = route({
  write: true,
  body: acquireBodySchema,
  run: ({ body, signal }, runtime) => runtime.operations.acquire(body, signal),
});

export const { PUT, PATCH, DELETE } = refuseOthers("GET", "POST");
