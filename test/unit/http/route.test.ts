import { beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { AppError } from "@/lib/contract";
import { notFound, type RouteHandler, refuseOthers, route } from "@/lib/http";
import { errorOf } from "../../support/api";

const stub = vi.hoisted(() => ({
  runtime: {
    config: { readOnly: false },
    originPolicy: { loopbackOnly: true, isLoopback: (host: string) => host === "127.0.0.1" || host === "localhost" },
  },
  logged: [] as string[],
}));
vi.mock("@/lib/runtime", () => ({
  getRuntime: () => Promise.resolve(stub.runtime),
  log: (...words: unknown[]) => stub.logged.push(JSON.stringify(words)),
}));

beforeEach(() => {
  stub.runtime.config.readOnly = false;
  stub.logged.length = 0;
});

const echo = route({
  write: true,
  params: z.object({ id: z.string() }),
  body: z.strictObject({ token: z.string().min(5), ttlMs: z.number().int().min(10) }),
  run: ({ params, body }) => ({ params, body }),
});
const read = route({ query: z.strictObject({ q: z.string().optional() }), run: ({ query }) => query });

function send(
  handler: RouteHandler,
  { path = "/x/1", params = { id: "1" }, ...init }: RequestInit & { path?: string; params?: object } = {},
): Promise<Response> {
  const headers = { host: "127.0.0.1:3000", ...(init.headers as Record<string, string> | undefined) };
  const request = new Request(`http://127.0.0.1:3000${path}`, { ...init, headers });
  return handler(request, { params: Promise.resolve(params) });
}

const post = (body: string, headers: Record<string, string> = {}) => send(echo, { method: "POST", body, headers });
const GOOD = JSON.stringify({ token: "secret", ttlMs: 10 });

describe("an answer", () => {
  test("is data with a request id, and is stored nowhere", async () => {
    const response = await post(GOOD, { "x-request-id": "trace-1" });
    expect(await response.json()).toEqual({ data: { params: { id: "1" }, body: { token: "secret", ttlMs: 10 } } });
    expect(response.headers.get("x-request-id")).toBe("trace-1");
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test.each(["", "a b", "x".repeat(129), "<script>"])("does not take over the request id %j", async (id) => {
    const response = await post(GOOD, { "x-request-id": id });
    expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("is an envelope also where there is nothing, or not this method", async () => {
    expect(await errorOf(send(notFound))).toMatchObject({ status: 404, code: "not_found" });
    const { DELETE, GET } = refuseOthers("GET");
    expect(GET).toBeUndefined();
    if (DELETE === undefined) throw new Error("no handler");
    expect(await errorOf(send(DELETE, { method: "DELETE" }))).toMatchObject({ status: 405 });
  });
});

describe("bad input", () => {
  test.each([
    ["not JSON", "{", undefined],
    ["no body at all", "", undefined],
    ["not UTF-8", new Uint8Array([0x22, 0xff, 0x22]), undefined],
    ["too long a body", `"${"x".repeat(70_000)}"`, undefined],
    ["a missing field", '{"token":"secret"}', { field: "ttlMs", value: null }],
    ["a wrong value", '{"token":"secret","ttlMs":5}', { field: "ttlMs", value: 5 }],
    ["an unknown field", '{"token":"secret","ttlMs":10,"tll":1}', { field: "tll", value: 1 }],
    ["a list instead of an object", "[1]", { field: "(the whole)", value: null }],
  ])("%s is refused", async (_, body, detail) => {
    const error = await errorOf(send(echo, { method: "POST", body }));
    expect(error).toMatchObject({ status: 400, code: "invalid_request" });
    if (detail !== undefined) expect(error.details).toMatchObject([detail]);
  });

  test("is refused without repeating a token", async () => {
    const response = await post('{"token":"abc","ttlMs":10,"Token":"abc"}');
    expect(await response.text()).not.toContain("abc");
  });

  test("in the query is refused, also a name given twice", async () => {
    expect(await errorOf(send(read, { path: "/x?Q=1" }))).toMatchObject({ code: "invalid_request" });
    expect(await errorOf(send(read, { path: "/x?q=1&q=2" }))).toMatchObject({ code: "invalid_request" });
    expect(await errorOf(send(echo, { path: "/x/1?dryRun=1", method: "POST", body: GOOD }))).toMatchObject({
      status: 400,
    });
  });
});

describe("path parameters", () => {
  test.each([
    ["/locks/a%2Fb/release", "a%2Fb"],
    ["/locks/a%2Fb/release", "a/b"],
    ["/locks/a%252Fb/release", "a%2Fb"],
    ["/locks/100%25/release", "100%"],
  ])("of %s are as in the URL, though the router says %j", async (path, id) => {
    const response = await send(echo, { path, params: { id }, method: "POST", body: GOOD });
    expect((await response.json()).data.params.id).toBe(path.split("/")[2]);
  });
});

describe("another site", () => {
  test.each([
    [{ origin: "https://evil.example" }],
    [{ origin: "null" }],
    [{ origin: "http://127.0.0.1:4000" }],
    [{ "sec-fetch-site": "cross-site" }],
    [{ "sec-fetch-site": "same-site", origin: "http://127.0.0.1:3000" }],
    [{ "sec-fetch-site": "same-origin", origin: "http://evil.example:3000", host: "evil.example:3000" }],
  ])("cannot write with %j", async (headers) => {
    expect(await errorOf(post(GOOD, headers as Record<string, string>))).toMatchObject({
      status: 403,
      code: "cross_origin",
    });
  });

  test.each([
    [{}],
    [{ origin: "http://127.0.0.1:3000" }],
    [{ origin: "http://127.0.0.1:3000", "sec-fetch-site": "same-origin" }],
    [{ "sec-fetch-site": "none" }],
  ])("is not what sends %j", async (headers) => {
    expect((await post(GOOD, headers as Record<string, string>)).status).toBe(200);
  });

  test("cannot read under a name of its own that points here, while a script may use any name", async () => {
    const headers = { host: "evil.example:3000", "sec-fetch-site": "same-origin" };
    expect(await errorOf(send(read, { headers }))).toMatchObject({ code: "cross_origin" });
    expect((await send(read, { headers: { host: "my-alias:3000" } })).status).toBe(200);
  });
});

test("a read-only console refuses every write", async () => {
  stub.runtime.config.readOnly = true;
  expect(await errorOf(post(GOOD))).toMatchObject({ status: 403, code: "read_only" });
  expect((await send(read)).status).toBe(200);
});

describe("an error", () => {
  test("that is known keeps its code and details", async () => {
    const handler = route({
      run: () => {
        throw new AppError("lock_changed", "It changed.", { details: { nodes: 1 } });
      },
    });
    expect(await errorOf(send(handler))).toMatchObject({ status: 409, message: "It changed.", details: { nodes: 1 } });
    expect(stub.logged).toEqual([]);
  });

  test("that is ours tells nothing private, and is logged under its request id", async () => {
    const handler = route({
      run: () => {
        throw new TypeError("password=hunter2");
      },
    });
    const response = await send(handler);
    const text = await response.clone().text();
    expect(text).not.toContain("hunter2");
    const { requestId, code } = await errorOf(response);
    expect(code).toBe("internal");
    expect(stub.logged.join()).toContain(requestId);
  });
});
