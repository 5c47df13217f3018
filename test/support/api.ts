import * as z from "zod";
import * as missing from "@/app/api/[...path]/route";
import * as audit from "@/app/api/v1/audit/route";
import * as bootstrap from "@/app/api/v1/cluster/bootstrap/route";
import * as drain from "@/app/api/v1/cluster/nodes/[node]/drain/route";
import * as faults from "@/app/api/v1/cluster/nodes/[node]/faults/route";
import * as cluster from "@/app/api/v1/cluster/route";
import * as demonstration from "@/app/api/v1/demonstration/route";
import * as discovery from "@/app/api/v1/discovery/route";
import * as events from "@/app/api/v1/events/route";
import * as incidents from "@/app/api/v1/incidents/route";
import * as labEvents from "@/app/api/v1/lab/events/route";
import * as lab from "@/app/api/v1/lab/route";
import * as labDriver from "@/app/api/v1/lab/runs/[run]/driver/route";
import * as labRun from "@/app/api/v1/lab/runs/[run]/route";
import * as labRuns from "@/app/api/v1/lab/runs/route";
import * as extend from "@/app/api/v1/locks/[id]/extend/route";
import * as forceExpire from "@/app/api/v1/locks/[id]/force-expire/route";
import * as release from "@/app/api/v1/locks/[id]/release/route";
import * as revoke from "@/app/api/v1/locks/[id]/revoke/route";
import * as lock from "@/app/api/v1/locks/[id]/route";
import * as bulkForceExpire from "@/app/api/v1/locks/bulk/force-expire/route";
import * as locks from "@/app/api/v1/locks/route";
import { errorBodySchema } from "@/lib/contract";
import type { RouteHandler } from "@/lib/http";

const ORIGIN = "http://127.0.0.1:3000";

/** The paths of the API as Next routes them: literal segments before parameters. */
const ROUTES: readonly (readonly [string, object])[] = [
  ["cluster", cluster],
  ["cluster/bootstrap", bootstrap],
  ["cluster/nodes/[node]/drain", drain],
  ["cluster/nodes/[node]/faults", faults],
  ["locks", locks],
  ["locks/bulk/force-expire", bulkForceExpire],
  ["locks/[id]", lock],
  ["locks/[id]/extend", extend],
  ["locks/[id]/release", release],
  ["locks/[id]/revoke", revoke],
  ["locks/[id]/force-expire", forceExpire],
  ["events", events],
  ["audit", audit],
  ["incidents", incidents],
  ["demonstration", demonstration],
  ["discovery", discovery],
  ["lab", lab],
  ["lab/events", labEvents],
  ["lab/runs", labRuns],
  ["lab/runs/[run]", labRun],
  ["lab/runs/[run]/driver", labDriver],
];

/** One request to a route handler, without a server. */
export interface ApiCall {
  readonly method?: string;
  /** Sent as JSON, or as it is when it is a string. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** @param path below `/api/v1/`, with its query */
export function callApi(path: string, { method = "GET", body, headers = {}, signal }: ApiCall = {}): Promise<Response> {
  const url = `${ORIGIN}/api/v1/${path}`;
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const request = new Request(url, { method, headers: { host: "127.0.0.1:3000", ...headers }, body: text, signal });
  const { module, params } = matchRoute(new URL(url).pathname.split("/").slice(3));
  const handler = (module as Record<string, RouteHandler | undefined>)[method];
  if (handler === undefined) throw new Error(`no ${method} for ${path}`);
  return handler(request, { params: Promise.resolve(params) });
}

/** The data of a successful answer, checked strictly. */
export async function dataOf<Schema extends z.ZodType>(
  response: Response | Promise<Response>,
  schema: Schema,
): Promise<z.output<Schema>> {
  const answer = await response;
  const body: unknown = await answer.json();
  if (answer.status !== 200) throw new Error(`status ${answer.status}: ${JSON.stringify(body)}`);
  const { data } = z.strictObject({ data: z.unknown() }).parse(body);
  return schema.parse(data);
}

/** The error of a failed answer, with its status. */
export async function errorOf(response: Response | Promise<Response>) {
  const answer = await response;
  const { error } = errorBodySchema.parse(await answer.json());
  if (answer.headers.get("x-request-id") !== error.requestId) throw new Error("request id of header and body differ");
  return { status: answer.status, ...error };
}

function matchRoute(segments: readonly string[]): { readonly module: object; readonly params: Record<string, string> } {
  for (const [pattern, module] of ROUTES) {
    const parts = pattern.split("/");
    if (parts.length !== segments.length) continue;
    const params: Record<string, string> = {};
    const fits = parts.every((part, index) => {
      const segment = segments[index] ?? "";
      if (!part.startsWith("[")) return part === segment;
      params[part.slice(1, -1)] = segment;
      return true;
    });
    if (fits) return { module, params };
  }
  return { module: missing, params: {} };
}
