import type { ClusterNode } from "@/lib/contract";

/** How the node's keys get into the list of locks: told by the node, or asked for at intervals, and why. */
export function MirrorLine({ mirror }: { readonly mirror: ClusterNode["mirror"] }) {
  const { mode, modeReason, progress, keysPerSecond } = mirror;
  const rate = keysPerSecond === null ? "" : ` at ${keysPerSecond.toLocaleString("en-US")} keys/s`;
  const reading = progress === null ? "" : `, ${Math.floor(progress * 100)} % read${rate}`;
  return (
    <p className="mt-2 text-[12.5px] text-mute">
      {mode === "tracking" ? "Mirror: the node tells its changes" : "Mirror: read again at intervals"}
      {reading}
      {modeReason === null ? "." : `: ${modeReason}.`}
    </p>
  );
}
