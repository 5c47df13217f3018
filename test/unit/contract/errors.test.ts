import { describe, expect, it, vi } from "vitest";
import { AppError } from "@/lib/contract";

describe("AppError", () => {
  it("is recognised when another copy of the module made it, as in a production build", async () => {
    vi.resetModules();
    const other = await import("@/lib/contract");
    const error = new other.AppError("lock_changed", "changed hands");
    expect(error).not.toBeInstanceOf(AppError);
    expect(AppError.is(error)).toBe(true);
    expect(error.status).toBe(409);
  });

  it("does not take any error, or any object, for one", () => {
    expect(AppError.is(new Error("no"))).toBe(false);
    expect(AppError.is({ name: "AppError", code: "internal" })).toBe(false);
    expect(AppError.is(Object.assign(new Error("no"), { name: "AppError", code: "made_up" }))).toBe(false);
  });
});
