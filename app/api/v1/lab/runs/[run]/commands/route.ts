import { labCommandBodySchema, labRunParamsSchema, labViewerQuerySchema } from "@/lib/contract";
import { refuseOthers, route } from "@/lib/http";

// POST /api/v1/lab/runs/{run}/commands: does something to the processes of a run that takes commands.
export const POST = route({
  write: true,
  params: labRunParamsSchema,
  query: labViewerQuerySchema,
  body: labCommandBodySchema,
  run: ({ params, query, body }, { operations }) => operations.commandLabRun(params.run, body, query.viewer ?? null),
});

export const { GET, PUT, PATCH, DELETE } = refuseOthers("POST");
