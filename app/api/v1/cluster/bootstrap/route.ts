import { bootstrapBodySchema } from "@/lib/contract";
import { refuseOthers, route } from "@/lib/http";

// POST /api/v1/cluster/bootstrap: the operator declares that no lock can be held now; quarantined nodes vote at once.
export const POST = route({
  write: true,
  body: bootstrapBodySchema,
  run: ({ body }, runtime) => runtime.operations.bootstrap(body),
});

export const { GET, PUT, PATCH, DELETE } = refuseOthers("POST");
