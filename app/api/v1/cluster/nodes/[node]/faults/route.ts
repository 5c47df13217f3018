import { faultBodySchema, healQuerySchema, nodeParamsSchema } from "@/lib/contract";
import { refuseOthers, route } from "@/lib/http";

// POST /api/v1/cluster/nodes/{node}/faults: a real fault, on the embedded cluster only. Answers the cluster as it is then.
export const POST = route({
  write: true,
  params: nodeParamsSchema,
  body: faultBodySchema,
  run: async ({ params, body }, runtime) => {
    await runtime.operations.setFault(params.node, body);
    return runtime.cluster();
  },
});

// DELETE /api/v1/cluster/nodes/{node}/faults?data=empty: undoes every fault of the node.
export const DELETE = route({
  write: true,
  params: nodeParamsSchema,
  query: healQuerySchema,
  run: async ({ params, query }, runtime) => {
    await runtime.operations.healFault(params.node, query);
    return runtime.cluster();
  },
});

export const { GET, PUT, PATCH } = refuseOthers("POST", "DELETE");
