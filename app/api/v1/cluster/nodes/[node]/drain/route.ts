import { drainBodySchema, nodeParamsSchema } from "@/lib/contract";
import { refuseOthers, route } from "@/lib/http";

// POST /api/v1/cluster/nodes/{node}/drain: takes the node out of the votes for a planned restart.
export const POST = route({
  write: true,
  params: nodeParamsSchema,
  body: drainBodySchema,
  run: ({ params, body }, runtime) => runtime.operations.drain(params.node, body),
});

// DELETE /api/v1/cluster/nodes/{node}/drain: puts it back, at once if this console drained it.
export const DELETE = route({
  write: true,
  params: nodeParamsSchema,
  run: ({ params }, runtime) => runtime.operations.undrain(params.node),
});

export const { GET, PUT, PATCH } = refuseOthers("POST", "DELETE");
