import { AppError } from "@/lib/contract";
import type { OperationsContext } from "./context";

/** @throws AppError invalid_request when the operator has limited the TTL and this one is longer */
export function checkTtl({ maxTtlMs }: OperationsContext, ttlMs: number): void {
  if (ttlMs <= maxTtlMs) return;
  const rule = `at most ${maxTtlMs}, which is REDLOCK_MAX_TTL_MS: a node that forgot votes is kept out for as long`;
  throw new AppError("invalid_request", `The body was refused. ttlMs: ${rule}`, {
    details: [{ field: "ttlMs", value: ttlMs, rule }],
  });
}
