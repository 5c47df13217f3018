import { liveness } from "@/lib/http";

// GET /healthz: the process lives. Touches no Redis.
export const dynamic = "force-dynamic";

export const GET = liveness;
