import { lockParamsSchema, releaseBodySchema } from "@/lib/contract";
import { refuseOthers, route } from "@/lib/http";

// POST /api/v1/locks/{id}/release: gives the lock of this token back, on every node.
export const POST = route({
  write: true,
  params: lockParamsSchema,
  body: releaseBodySchema,
  run: ({ params, body }, runtime) => runtime.operations.release(params.id, body),
});

export const { GET, PUT, PATCH, DELETE } = refuseOthers("POST");
