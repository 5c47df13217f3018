import { auditQuerySchema } from "@/lib/contract";
import { refuseOthers, route } from "@/lib/http";

// GET /api/v1/audit: the newest entries of the record.
export const GET = route({
  query: auditQuerySchema,
  run: async ({ query }, runtime) => ({ entries: await runtime.audit.list(query) }),
});

export const { POST, PUT, PATCH, DELETE } = refuseOthers("GET");
