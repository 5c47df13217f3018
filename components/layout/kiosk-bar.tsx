"use client";

import { X } from "lucide-react";
import { useEffect, useState } from "react";
import { useCluster } from "@/lib/client";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { useEscape } from "../ui/use-escape";
import { ConnectionChip } from "./connection-chip";
import { useKiosk } from "./use-kiosk";

/** Long enough to find the pointer again, short enough not to leave it on the wall. */
const IDLE_AFTER_MS = 3000;

/** What is left of the header on a wallboard: which environment this is and whether it is live. Its presence makes the rest large. */
export function KioskBar() {
  const { isKiosk, setKiosk } = useKiosk();
  return isKiosk ? <Bar onLeave={() => setKiosk(false)} /> : null;
}

function Bar({ onLeave }: { readonly onLeave: () => void }) {
  const isIdle = useIsPointerIdle();
  const state = useCluster();
  const environment = state.kind === "ready" ? state.cluster.value.environment : null;
  const isProduction = environment === "production";
  useEscape(onLeave);
  return (
    <div
      data-kiosk
      data-idle={isIdle ? "" : undefined}
      className={`flex items-center gap-3 border-b px-4 py-1.5 md:px-6 ${isProduction ? "border-bad border-t-4 bg-bad-soft" : "border-line bg-panel"}`}
    >
      <b className="font-semibold">Redlock Console</b>
      {environment !== null && <Badge tone={isProduction ? "alarm" : "plain"}>{environment}</Badge>}
      <span className={`ml-auto transition-opacity focus-within:opacity-100 ${isIdle ? "opacity-0" : ""}`}>
        <Button look="quiet" size="small" onClick={onLeave}>
          <X aria-hidden className="size-3.5" />
          Leave the wallboard (Esc)
        </Button>
      </span>
      <ConnectionChip />
    </div>
  );
}

function useIsPointerIdle(): boolean {
  const [isIdle, setIsIdle] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wake = () => {
      clearTimeout(timer);
      setIsIdle(false);
      timer = setTimeout(() => setIsIdle(true), IDLE_AFTER_MS);
    };
    wake();
    document.addEventListener("pointermove", wake);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("pointermove", wake);
    };
  }, []);
  return isIdle;
}
