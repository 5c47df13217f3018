import { ageOf } from "./received";
import { useTicking } from "./ticker";
import { useCluster } from "./use-cluster";

/**
 * What `select` makes of the server's present time. The browser's wall clock is not asked: it may be wrong, and the moments that
 * are compared with it were all written down by the server.
 *
 * @param select gets epoch milliseconds of the server, null before its first word; must return a primitive
 */
export function useServerTime<Value extends string | number | boolean | null>(
  select: (epochMs: number | null) => Value,
): Value {
  const state = useCluster();
  const cluster = state.kind === "ready" ? state.cluster : null;
  return useTicking((now) => select(cluster === null ? null : cluster.value.readAt + ageOf(cluster, now)));
}
