import { buildServerShim, type ShimBuild } from "@/lib/cluster";
import type { FaultArguments } from "./arguments";
import { CLOCK_NODES_MIN, type NemesisKind, SHIMMED } from "./plan";

/** What a run can do on this machine. */
export interface Outfit {
  /** Without what is left out; null: a fault was named that cannot be inflicted. */
  readonly asked: FaultArguments | null;
  readonly shim: Extract<ShimBuild, { readonly kind: "built" }> | null;
  /** One line each: what is left out or stands in the way, and why. */
  readonly shortages: readonly string[];
}

/**
 * Takes out of a run what cannot be inflicted here; faults that were named one by one are rather not left out without being asked.
 *
 * @param folder of the compiled shim
 */
export async function outfitFor(asked: FaultArguments, folder: string): Promise<Outfit> {
  const shortages: string[] = [];
  const leftOut = new Set<NemesisKind>();
  const leaveOut = (kinds: readonly NemesisKind[], why: string): void => {
    const lacking = kinds.filter((kind) => asked.nemeses.includes(kind));
    for (const kind of lacking) leftOut.add(kind);
    const way = asked.areNemesesNamed ? "Impossible here" : "Left out";
    if (lacking.length > 0) shortages.push(`${way}: ${lacking.join(", ")}; ${why}`);
  };
  if (asked.nodes < CLOCK_NODES_MIN) {
    leaveOut(["clock-step"], `with fewer than ${CLOCK_NODES_MIN} nodes nobody can tell whose clock is wrong`);
  }
  let shim: Outfit["shim"] = null;
  if (asked.nemeses.some((kind) => SHIMMED.includes(kind) && !leftOut.has(kind))) {
    const build = await buildServerShim(folder);
    if (build.kind === "built") shim = build;
    else leaveOut(SHIMMED, `the library that is loaded into redis-server is missing: ${build.reason}`);
  }
  if (asked.areNemesesNamed && shortages.length > 0) return { asked: null, shim: null, shortages };
  const nemeses = asked.nemeses.filter((kind) => !leftOut.has(kind));
  return { asked: { ...asked, nemeses }, shim, shortages };
}
