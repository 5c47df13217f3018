import { labRunBodySchema } from "@/lib/contract";
import { refuseOthers, route } from "@/lib/http";

// POST /api/v1/lab/runs: plays a scenario on processes that only this run has. Answers at once; the record is at its own path.
export const POST = route({
  write: true,
  body: labRunBodySchema,
  run: ({ body }, { operations }) => operations.startLabRun(body),
});

export const { GET, PUT, PATCH, DELETE } = refuseOthers("POST");
