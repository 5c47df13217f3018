import { readiness } from "@/lib/http";

// GET /readyz: configuration valid and first reading done. Losing the quorum does not fail it: the console is there to show that.
export const dynamic = "force-dynamic";

export const GET = readiness;
