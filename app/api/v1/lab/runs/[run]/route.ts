import { labRunParamsSchema, labViewerQuerySchema } from "@/lib/contract";
import { refuseOthers, route } from "@/lib/http";

// GET /api/v1/lab/runs/{run}: the record so far.
export const GET = route({ params: labRunParamsSchema, run: ({ params }, { lab }) => lab.run(params.run) });

// DELETE /api/v1/lab/runs/{run}: ends it and everything it has started.
export const DELETE = route({
  write: true,
  params: labRunParamsSchema,
  query: labViewerQuerySchema,
  run: ({ params, query }, { operations }) => operations.stopLabRun(params.run, query.viewer ?? null),
});

export const { POST, PUT, PATCH } = refuseOthers("GET", "DELETE");
