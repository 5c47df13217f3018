import * as z from "zod";
import {
  acquireAnswerSchema,
  bootstrapAnswerSchema,
  bulkForceExpireAnswerSchema,
  drainAnswerSchema,
  extendAnswerSchema,
  forceExpireAnswerSchema,
  releaseAnswerSchema,
  revokeAnswerSchema,
} from "./action-answers";
import { auditListSchema, clusterSchema, errorBodySchema, lockDetailSchema, lockListSchema } from "./answers";
import { discoverySchema } from "./discovery";
import { ERROR_STATUS } from "./errors";
import { incidentListSchema } from "./incidents";
import {
  acquireBodySchema,
  auditQuerySchema,
  bootstrapBodySchema,
  bulkForceExpireBodySchema,
  demonstrationBodySchema,
  drainBodySchema,
  eventsQuerySchema,
  extendBodySchema,
  faultBodySchema,
  forceExpireBodySchema,
  healQuerySchema,
  locksQuerySchema,
  releaseBodySchema,
  revokeBodySchema,
} from "./inputs";
import { LAB_ENDPOINTS } from "./openapi-lab";

/** One method of one path. */
export interface Endpoint {
  readonly method: "get" | "post" | "delete";
  readonly path: string;
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Of `data`; null for a stream of events. */
  readonly answer: z.ZodType | null;
}

const statusSchema = z.strictObject({ status: z.string() });
const demonstrationSchema = clusterSchema.shape.demonstration;
const LOCK = "/api/v1/locks/{id}";
const FAULTS = "/api/v1/cluster/nodes/{node}/faults";

/** Every endpoint, with the very schemas that check its input and that its tests hold its answers to. */
const ENDPOINTS: readonly Endpoint[] = [
  { method: "get", path: "/api/v1/cluster", summary: "Nodes and quorum health", answer: clusterSchema },
  {
    method: "get",
    path: "/api/v1/locks",
    summary: "Locks seen on any node",
    query: locksQuerySchema,
    answer: lockListSchema,
  },
  {
    method: "post",
    path: "/api/v1/locks",
    summary: "Acquire; a refusal is an answer too",
    body: acquireBodySchema,
    answer: acquireAnswerSchema,
  },
  { method: "get", path: LOCK, summary: "One lock on every node, also when it is free", answer: lockDetailSchema },
  { method: "post", path: `${LOCK}/extend`, summary: "Extend", body: extendBodySchema, answer: extendAnswerSchema },
  { method: "post", path: `${LOCK}/release`, summary: "Release", body: releaseBodySchema, answer: releaseAnswerSchema },
  {
    method: "post",
    path: `${LOCK}/force-expire`,
    summary: "Delete the token that was seen, and nothing else",
    body: forceExpireBodySchema,
    answer: forceExpireAnswerSchema,
  },
  {
    method: "post",
    path: `${LOCK}/revoke`,
    summary: "Swap the token that was seen, keep the remaining time",
    body: revokeBodySchema,
    answer: revokeAnswerSchema,
  },
  {
    method: "post",
    path: "/api/v1/locks/bulk/force-expire",
    summary: "Force-expire an explicit list",
    body: bulkForceExpireBodySchema,
    answer: bulkForceExpireAnswerSchema,
  },
  {
    method: "get",
    path: "/api/v1/events",
    summary: "Server-sent events: snapshot, locks, cluster, action, incident; with a limit only of what a page shows",
    query: eventsQuerySchema,
    answer: null,
  },
  {
    method: "post",
    path: "/api/v1/cluster/bootstrap",
    summary: "Declare that no lock can be held now: every node votes at once",
    body: bootstrapBodySchema,
    answer: bootstrapAnswerSchema,
  },
  {
    method: "post",
    path: "/api/v1/cluster/nodes/{node}/drain",
    summary: "Take a node out of the votes for a planned restart",
    body: drainBodySchema,
    answer: drainAnswerSchema,
  },
  {
    method: "delete",
    path: "/api/v1/cluster/nodes/{node}/drain",
    summary: "Put it back: at once if this console drained it, else after a quarantine",
    answer: drainAnswerSchema,
  },
  {
    method: "post",
    path: FAULTS,
    summary: "Fault of an embedded node",
    body: faultBodySchema,
    answer: clusterSchema,
  },
  { method: "delete", path: FAULTS, summary: "Heal a node", query: healQuerySchema, answer: clusterSchema },
  {
    method: "post",
    path: "/api/v1/demonstration",
    summary: "Start or stop the demonstration clients",
    body: demonstrationBodySchema,
    answer: demonstrationSchema,
  },
  ...LAB_ENDPOINTS,
  {
    method: "get",
    path: "/api/v1/audit",
    summary: "The newest actions",
    query: auditQuerySchema,
    answer: auditListSchema,
  },
  {
    method: "get",
    path: "/api/v1/incidents",
    summary: "Second holders before the first one's time was over, newest first",
    answer: incidentListSchema,
  },
  {
    method: "get",
    path: "/api/v1/discovery",
    summary: "Samples every node's keys, at most one sampling at a time, and says which look like locks and why",
    answer: discoverySchema,
  },
  { method: "get", path: "/healthz", summary: "The process lives", answer: statusSchema },
  { method: "get", path: "/readyz", summary: "Configuration valid and first reading done", answer: statusSchema },
];

/** Grows with changes of the API, not with releases of the console. */
const API_VERSION = "1.0.0";

/** The OpenAPI 3.1 description of the HTTP API. */
export function openApiDocument(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of ENDPOINTS) {
    paths[endpoint.path] ??= {};
    Object.assign(paths[endpoint.path] ?? {}, { [endpoint.method]: operationOf(endpoint) });
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Redlock Console",
      version: API_VERSION,
      description: "Times are remaining milliseconds as of `readAt`.",
    },
    paths,
    components: { schemas: { Error: schemaOf(errorBodySchema, "output") } },
  };
}

function operationOf({ path, summary, query, body, answer }: Endpoint): object {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const inQuery = Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: false,
    schema: schemaOf(schema as z.ZodType, "input"),
  }));
  const error = { description: "Refused", content: json({ $ref: "#/components/schemas/Error" }) };
  const statuses = [...new Set(Object.values(ERROR_STATUS))];
  return {
    summary,
    parameters: [...inPath, ...inQuery],
    ...(body === undefined ? {} : { requestBody: { required: true, content: json(schemaOf(body, "input")) } }),
    responses: {
      200: { description: "Done", content: answer === null ? { "text/event-stream": {} } : json(dataOf(answer)) },
      ...Object.fromEntries(statuses.map((status) => [status, error])),
    },
  };
}

function dataOf(answer: z.ZodType): object {
  return { type: "object", required: ["data"], properties: { data: schemaOf(answer, "output") } };
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): object {
  // A transform has no schema of its own; what goes in is described instead.
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}

function json(schema: object): object {
  return { "application/json": { schema } };
}
