import { lockParamsSchema } from "@/lib/contract";
import { refuseOthers, route } from "@/lib/http";

// GET /api/v1/locks/{id}: one lock, asked of every node now, also when it is free.
export const GET = route({
  params: lockParamsSchema,
  run: ({ params }, runtime) => runtime.inventory.detail(params.id),
});

export const { POST, PUT, PATCH, DELETE } = refuseOthers("GET");
