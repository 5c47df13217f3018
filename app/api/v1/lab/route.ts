import { refuseOthers, route } from "@/lib/http";

// GET /api/v1/lab: the scenarios of the Quorum Lab, whether they can be played here, and the last run.
export const GET = route({ run: (_, { lab }) => lab.view() });

export const { POST, PUT, PATCH, DELETE } = refuseOthers("GET");
