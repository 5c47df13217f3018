import { refuseOthers, route } from "@/lib/http";

// GET /api/v1/incidents: second holders before the first one's time was over, newest first.
export const GET = route({ run: (_, runtime) => runtime.incidents.list(Date.now()) });

export const { POST, PUT, PATCH, DELETE } = refuseOthers("GET");
