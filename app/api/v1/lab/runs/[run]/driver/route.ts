import { labDriverBodySchema, labRunParamsSchema } from "@/lib/contract";
import { refuseOthers, route } from "@/lib/http";

// POST /api/v1/lab/runs/{run}/driver: makes a page the driver, whoever was it.
export const POST = route({
  write: true,
  params: labRunParamsSchema,
  body: labDriverBodySchema,
  run: ({ params, body }, { operations }) => operations.takeOverLabRun(params.run, body.viewer),
});

export const { GET, PUT, PATCH, DELETE } = refuseOthers("POST");
