import { AppError } from "@/lib/contract";
import { marginMs } from "@/lib/redlock";
import type { OperationsContext } from "./context";

/** @throws AppError invalid_request when the operator has limited the TTL and this one is longer, or when clocks leave nothing of it */
export function checkTtl({ maxTtlMs, engine }: OperationsContext, ttlMs: number): void {
  if (ttlMs > maxTtlMs) {
    refuse(ttlMs, `at most ${maxTtlMs}, which is REDLOCK_MAX_TTL_MS: a node that forgot votes is kept out for as long`);
  }
  const takenOffMs = Math.ceil(marginMs(ttlMs, engine.settings));
  if (ttlMs <= takenOffMs) {
    const { clockErrorMs } = engine.settings;
    refuse(ttlMs, `longer: ${takenOffMs} ms are taken off for clocks, with REDLOCK_CLOCK_ERROR_MS=${clockErrorMs}`);
  }
}

function refuse(ttlMs: number, rule: string): never {
  throw new AppError("invalid_request", `The body was refused. ttlMs: ${rule}`, {
    details: [{ field: "ttlMs", value: ttlMs, rule }],
  });
}
