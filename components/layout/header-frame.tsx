"use client";

import { useCluster } from "@/lib/client";
import { Badge } from "../ui/badge";
import { ConnectionChip } from "./connection-chip";
import { HelpButton } from "./help-dialog";
import { MuteButton } from "./mute-button";
import { Navigation } from "./navigation";
import { PaletteButton } from "./palette-button";
import { ThemeSwitch } from "./theme-switch";
import { ZoneSwitch } from "./zone-switch";

/** The header: where to go, how fresh the page is, and which environment this is. Production shows in its colour. */
export function HeaderFrame() {
  const state = useCluster();
  const cluster = state.kind === "ready" ? state.cluster.value : null;
  const isProduction = cluster?.environment === "production";
  return (
    <header
      data-environment={cluster?.environment ?? undefined}
      className={`sticky top-0 z-30 border-b ${isProduction ? "border-bad border-t-4 bg-bad-soft" : "border-line bg-panel"}`}
    >
      <div className="mx-auto flex max-w-[1240px] flex-wrap items-center gap-x-2 gap-y-1 px-4 py-2 md:gap-x-5 md:px-6">
        <Brand />
        <div className="order-last w-full md:order-none md:w-auto">
          <Navigation />
        </div>
        <div className="ml-auto flex flex-wrap items-center justify-end gap-x-0.5 gap-y-1 sm:gap-x-1.5">
          {cluster?.environment != null && <Badge tone={isProduction ? "alarm" : "plain"}>{cluster.environment}</Badge>}
          {cluster?.readOnly === true && <Badge tone="unk">read-only</Badge>}
          <ConnectionChip />
          <PaletteButton />
          <ZoneSwitch />
          <MuteButton />
          <HelpButton />
          <ThemeSwitch />
        </div>
      </div>
    </header>
  );
}

function Brand() {
  return (
    <span className="flex items-center gap-2 font-semibold">
      <svg aria-hidden viewBox="0 0 32 32" className="size-5">
        <title>Redlock Console</title>
        <rect width="32" height="32" rx="8" className="fill-accent" />
        <g className="fill-accent-ink stroke-accent-ink">
          <rect x="5" y="13" width="6" height="6" rx="1.8" stroke="none" />
          <rect x="13" y="13" width="6" height="6" rx="1.8" stroke="none" />
          <path d="M21.2 10v12" strokeWidth="1.6" />
          <rect x="23.7" y="13.7" width="4.6" height="4.6" rx="1.4" fill="none" strokeWidth="1.4" />
        </g>
      </svg>
      {/* On the smallest screens the mark stands for it: the line is needed for what changes. */}
      <span className="max-[480px]:sr-only">Redlock Console</span>
    </span>
  );
}
