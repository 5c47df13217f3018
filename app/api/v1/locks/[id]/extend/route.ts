import { extendBodySchema, lockParamsSchema } from "@/lib/contract";
import { refuseOthers, route } from "@/lib/http";

// POST /api/v1/locks/{id}/extend: gives the lock of this token more time.
export const POST = route({
  write: true,
  params: lockParamsSchema,
  body: extendBodySchema,
  run: ({ params, body }, runtime) => runtime.operations.extend(params.id, body),
});

export const { GET, PUT, PATCH, DELETE } = refuseOthers("POST");
