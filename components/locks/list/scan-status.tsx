import { CircleCheck, CircleDashed } from "lucide-react";
import type { Scan } from "@/lib/contract";

/** How complete the list is: a partial scan must never pass for a whole one. */
export function ScanStatus({ scan }: { readonly scan: Scan }) {
  const isComplete = scan.complete === scan.n && scan.unjudged === undefined;
  const Icon = isComplete ? CircleCheck : CircleDashed;
  return (
    <p className={`flex items-start gap-1.5 text-[13px] ${isComplete ? "text-mute" : "text-risk"}`}>
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>
        {scan.complete} of {scan.n} nodes read to the end
        {scan.nodes
          .filter(({ state }) => state !== "complete")
          .map(
            ({ node, state, reason }) =>
              ` · ${node}: ${reason ?? (state === "running" ? "still reading" : "not read")}`,
          )
          .join("")}
        {scan.unjudged === undefined ? "" : ` · ${scan.unjudged.toLocaleString("en-US")} locks to be looked at again`}
      </span>
    </p>
  );
}
