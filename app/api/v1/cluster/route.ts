import { refuseOthers, route } from "@/lib/http";

// GET /api/v1/cluster: nodes and quorum health.
export const GET = route({ run: (_, runtime) => runtime.cluster() });

export const { POST, PUT, PATCH, DELETE } = refuseOthers("GET");
