import { afterAll, beforeAll, expect, test } from "vitest";
import { callApi, errorOf } from "../support/api";
import { apiConsole } from "../support/api-console";
import { CommandLog } from "../support/command-log";

// The same over HTTP, with an operator's bound for the clocks of the nodes.

process.env.REDLOCK_CLOCK_ERROR_MS = "400";
const api = apiConsole(3);
const log = new CommandLog();
beforeAll(() => log.watch(["a", "b", "c"].map((name) => api.server(name))));
afterAll(() => log.close());

// A name that no random token, written in hexadecimal digits, can contain.
const UNHEARD = "unsound";

const acquire = (body: object) =>
  callApi("locks", { method: "POST", body: { resources: [UNHEARD], ttlMs: 30_000, ...body } });

test.each<[string, () => Promise<Response>, object]>([
  [
    "a ttl that clocks eat up",
    () => acquire({ ttlMs: 800 }),
    { field: "ttlMs", rule: expect.stringContaining("REDLOCK_CLOCK_ERROR_MS=400") },
  ],
  ["an extension to one", () => api.act(UNHEARD, "extend", { token: "t", ttlMs: 800 }), { field: "ttlMs" }],
  [
    "an empty key",
    () => acquire({ resources: [UNHEARD, ""] }),
    { field: "resources.1", rule: "a resource needs a name" },
  ],
  [
    "a key of more than a kilobyte",
    () => acquire({ resources: [`${UNHEARD}${"é".repeat(511)}`] }),
    { field: "resources.0", rule: "at most 1024 bytes" },
  ],
  ["a quorum", () => acquire({ quorum: 1 }), { field: "quorum", rule: "there is no such field" }],
  [
    "a release by a token with a NUL",
    () => api.act(UNHEARD, "release", { token: "a\0b" }),
    { field: "token", rule: "no NUL character" },
  ],
  [
    "an extension by one",
    () => api.act(UNHEARD, "extend", { token: "a\0b", ttlMs: 9000 }),
    { field: "token", rule: "no NUL character" },
  ],
])("%s is refused, and no node hears of it", async (_, call, problem) => {
  expect(await errorOf(call())).toMatchObject({ status: 400, code: "invalid_request", details: [problem] });
  await api.acquire("good");
  await log.untilEachSaw("good");
  expect(log.count(UNHEARD)).toBe(0);
});

test("a body that is longer than any acquire needs is refused", async () => {
  const call = callApi("locks", {
    method: "POST",
    body: { resources: [UNHEARD], ttlMs: 30_000, note: "n".repeat(70_000) },
  });
  expect(await errorOf(call)).toMatchObject({ status: 400, code: "invalid_request" });
  expect(log.count(UNHEARD)).toBe(0);
});

test("what is granted is shorter by twice the error of the clocks", async () => {
  const { lock } = await api.acquire("shorter", { ttlMs: 30_000 });
  expect(lock?.validityMs).toBeLessThanOrEqual(30_000 - 302 - 800);
  expect(lock?.validityMs).toBeGreaterThan(0);
});
