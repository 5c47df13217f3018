import { afterEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "@/lib/client/api-error";
import { request } from "@/lib/client/request";

afterEach(() => {
  vi.unstubAllGlobals();
});

function answer(body: string, status = 200) {
  vi.stubGlobal("fetch", async () => new Response(body, { status }));
}

describe("a request", () => {
  it("hands out the data of the envelope", async () => {
    answer('{"data":{"n":5}}');
    expect(await request("/api/v1/cluster")).toEqual({ n: 5 });
  });

  it("turns the error envelope into an ApiError with a next step", async () => {
    answer('{"error":{"code":"lock_changed","message":"changed","requestId":"r-7"}}', 409);
    const error = await request("/x").catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: "lock_changed", message: "changed", requestId: "r-7" });
    expect((error as ApiError).nextStep).toContain("as it is now");
  });

  it("takes a code it does not know for a fault of the console", async () => {
    answer('{"error":{"code":"from_the_future","message":"?","requestId":"r"}}', 418);
    await expect(request("/x")).rejects.toMatchObject({ code: "internal" });
  });

  it.each(["<html>Bad Gateway</html>", "null", "{}", "[]"])(
    "says that %s is no answer of this console",
    async (body) => {
      answer(body, 502);
      await expect(request("/x")).rejects.toMatchObject({ code: "unreadable_answer" });
    },
  );

  it("says that the console cannot be reached", async () => {
    vi.stubGlobal("fetch", async () => Promise.reject(new TypeError("Failed to fetch")));
    await expect(request("/x")).rejects.toMatchObject({ code: "console_unreachable" });
  });

  it("says that the console did not answer in time", async () => {
    vi.stubGlobal("fetch", async () => Promise.reject(new DOMException("late", "TimeoutError")));
    await expect(request("/x")).rejects.toMatchObject({ code: "console_timeout" });
  });
});
