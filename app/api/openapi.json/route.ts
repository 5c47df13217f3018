import { openApiDocument } from "@/lib/contract";

export const dynamic = "force-static";

// GET /api/openapi.json: the description of this API, made from the schemas that check it.
export function GET(): Response {
  return Response.json(openApiDocument());
}
