import { cleanup, render } from "@testing-library/react";
import { Tooltip } from "radix-ui";
import type { ReactNode } from "react";
import { mutate, SWRConfig } from "swr";
import { vi } from "vitest";

/** What a stubbed API answers to one request: `[data]`, or `[error body, status]`. */
export type Answer = readonly [body: unknown, status?: number];

/** Requests seen, newest last. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly body: Record<string, unknown>;
}

/**
 * Answers `fetch` from a table of "METHOD /path below /api/v1, without query"; anything else is a 404 in the API's envelope.
 *
 * @returns the requests seen, filled as they come
 */
export function stubApi(answers: Readonly<Record<string, (request: SeenRequest) => Answer>>): readonly SeenRequest[] {
  const seen: SeenRequest[] = [];
  vi.stubGlobal("fetch", async (input: string, init: RequestInit = {}) => {
    const path = input.replace("/api/v1", "").replace(/\?.*$/, "");
    const method = init.method ?? "GET";
    const request = { method, path, body: typeof init.body === "string" ? JSON.parse(init.body) : {} };
    seen.push(request);
    const missing: Answer = [{ code: "not_found", message: `no ${path}`, requestId: "r-0" }, 404];
    const [body, status = 200] = answers[`${method} ${path}`]?.(request) ?? missing;
    return new Response(JSON.stringify(status < 400 ? { data: body } : { error: body }), { status });
  });
  return seen;
}

/**
 * Renders below what the shell gives every page, with a cache of its own: the shared one remembers for two seconds what was asked.
 *
 * @param cache `shared`: the cache that the event stream feeds
 */
export function show(children: ReactNode, cache: "own" | "shared" = "own") {
  const page = <Tooltip.Provider delayDuration={0}>{children}</Tooltip.Provider>;
  if (cache === "shared") return render(page);
  return render(<SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0 }}>{page}</SWRConfig>);
}

/** Leaves nothing for the next test: no page, no cached answer, no stub. */
export async function clearBrowser(): Promise<void> {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  await mutate(() => true, undefined, { revalidate: false });
}
