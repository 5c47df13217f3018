import {
  labAudienceSchema,
  labDriverBodySchema,
  labRunBodySchema,
  labRunSchema,
  labSchema,
  labViewerQuerySchema,
} from "./lab";
import { labCommandAnswerSchema, labCommandBodySchema } from "./lab-command";
import type { Endpoint } from "./openapi";

const LAB_RUN = "/api/v1/lab/runs/{run}";

/** The endpoints of the Quorum Lab. */
export const LAB_ENDPOINTS: readonly Endpoint[] = [
  {
    method: "get",
    path: "/api/v1/lab",
    summary: "Scenarios of the Quorum Lab, and the runs that are kept",
    answer: labSchema,
  },
  {
    method: "post",
    path: "/api/v1/lab/runs",
    summary: "Play a scenario on processes of its own; one run at a time",
    body: labRunBodySchema,
    answer: labRunSchema,
  },
  { method: "get", path: LAB_RUN, summary: "The record of a run so far; the last ten are kept", answer: labRunSchema },
  { method: "delete", path: LAB_RUN, summary: "End a run", query: labViewerQuerySchema, answer: labRunSchema },
  {
    method: "post",
    path: `${LAB_RUN}/driver`,
    summary: "Take the driver's seat of the run that is on",
    body: labDriverBodySchema,
    answer: labAudienceSchema,
  },
  {
    method: "get",
    path: "/api/v1/lab/events",
    summary: "Server-sent events: the run with its record so far, then what is added",
    query: labViewerQuerySchema,
    answer: null,
  },
  {
    method: "post",
    path: `${LAB_RUN}/commands`,
    summary: "Do something to the processes of a run that takes commands; for its driver, if it has one",
    query: labViewerQuerySchema,
    body: labCommandBodySchema,
    answer: labCommandAnswerSchema,
  },
];
