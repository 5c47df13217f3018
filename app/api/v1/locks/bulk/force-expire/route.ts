import { bulkForceExpireBodySchema } from "@/lib/contract";
import { refuseOthers, route } from "@/lib/http";

// POST /api/v1/locks/bulk/force-expire: an explicit snapshot of locks, each by the token that was seen.
export const POST = route({
  write: true,
  body: bulkForceExpireBodySchema,
  run: ({ body, signal }, runtime) => runtime.operations.bulkForceExpire(body, signal),
});

export const { GET, PUT, PATCH, DELETE } = refuseOthers("POST");
