import { lockParamsSchema, revokeBodySchema } from "@/lib/contract";
import { refuseOthers, route } from "@/lib/http";

// POST /api/v1/locks/{id}/revoke: swaps the token that was seen for an operator's, keeping the remaining time.
export const POST = route({
  write: true,
  params: lockParamsSchema,
  body: revokeBodySchema,
  run: ({ params, body }, runtime) => runtime.operations.revoke(params.id, body),
});

export const { GET, PUT, PATCH, DELETE } = refuseOthers("POST");
