import { refuseOthers, route } from "@/lib/http";

// GET /api/v1/discovery: samples the keys of every node and says which of them look like locks, and why. Takes some seconds.
export const GET = route({ run: (_, runtime) => runtime.discovery.run() });

export const { POST, PUT, PATCH, DELETE } = refuseOthers("GET");
