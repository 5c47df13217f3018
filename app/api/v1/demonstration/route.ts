import { demonstrationBodySchema } from "@/lib/contract";
import { refuseOthers, route } from "@/lib/http";

// POST /api/v1/demonstration: starts or stops the demonstration clients of the embedded cluster.
export const POST = route({
  write: true,
  body: demonstrationBodySchema,
  run: async ({ body }, runtime) => {
    await runtime.operations.setDemonstration(body);
    return runtime.cluster().demonstration;
  },
});

export const { GET, PUT, PATCH, DELETE } = refuseOthers("POST");
