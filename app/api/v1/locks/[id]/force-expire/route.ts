import { forceExpireBodySchema, lockParamsSchema } from "@/lib/contract";
import { refuseOthers, route } from "@/lib/http";

// POST /api/v1/locks/{id}/force-expire: deletes the token that was seen, and nothing else.
export const POST = route({
  write: true,
  params: lockParamsSchema,
  body: forceExpireBodySchema,
  run: ({ params, body }, runtime) => runtime.operations.forceExpire(params.id, body),
});

export const { GET, PUT, PATCH, DELETE } = refuseOthers("POST");
