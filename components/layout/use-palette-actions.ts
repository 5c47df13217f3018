import { CircleQuestionMark, Clock, Link2, Monitor, Moon, Play, Plus, Presentation, Square, Sun } from "lucide-react";
import { useTheme } from "next-themes";
import { toast } from "sonner";
import { asApiError, setDemonstration, useCluster, useZone, zoneChoice } from "@/lib/client";
import { useBlockedReason } from "../locks/use-blocked-reason";
import { openOverlay } from "./overlay";
import type { PaletteEntry } from "./palette-entries";
import { useKiosk } from "./use-kiosk";

/** What can be done from everywhere. Acquiring asks in its own dialog first. */
export function usePaletteActions(): readonly PaletteEntry[] {
  const { setTheme } = useTheme();
  const zone = useZone();
  const { isKiosk, setKiosk } = useKiosk();
  const demonstration = useDemonstrationEntry();
  const acquireBlocked = useBlockedReason();
  return [
    {
      id: "action acquire",
      label: "Acquire a lock…",
      icon: Plus,
      words: "lock new take",
      disabledReason: acquireBlocked,
      run: () => openOverlay({ kind: "acquire", resource: "" }),
    },
    ...demonstration,
    {
      id: "action zone",
      label: zone === "utc" ? "Show times in local time" : "Show times in UTC",
      icon: Clock,
      words: "time zone switch clock",
      run: () => zoneChoice.choose(zone === "utc" ? "local" : "utc"),
    },
    {
      id: "action kiosk",
      label: isKiosk ? "Leave the wallboard" : "Wallboard (kiosk)",
      icon: Presentation,
      words: "kiosk full screen toggle",
      run: () => setKiosk(!isKiosk),
    },
    { id: "action link", label: "Copy link to this view", icon: Link2, words: "url share", run: copyLink },
    { id: "action light", label: "Light theme", icon: Sun, words: "switch", run: () => setTheme("light") },
    { id: "action dark", label: "Dark theme", icon: Moon, words: "switch", run: () => setTheme("dark") },
    {
      id: "action system",
      label: "Theme as the system",
      icon: Monitor,
      words: "switch",
      run: () => setTheme("system"),
    },
    {
      id: "action help",
      label: "Help: keys, search words, verdicts",
      icon: CircleQuestionMark,
      note: "?",
      run: () => openOverlay({ kind: "help" }),
    },
  ];
}

/** Absent on masters that are not the console's own. */
function useDemonstrationEntry(): readonly PaletteEntry[] {
  const state = useCluster();
  const blocked = useBlockedReason();
  if (state.kind !== "ready") return [];
  const { available, running } = state.cluster.value.demonstration;
  if (!available) return [];
  return [
    {
      id: "action demonstration",
      label: running ? "Stop demonstration" : "Start demonstration clients",
      icon: running ? Square : Play,
      words: "demo",
      disabledReason: blocked,
      run: () => void switchDemonstration(!running),
    },
  ];
}

async function switchDemonstration(isRunning: boolean): Promise<void> {
  try {
    await setDemonstration(isRunning);
    toast(isRunning ? "Demonstration clients are at work" : "Demonstration stopped");
  } catch (cause) {
    const error = asApiError(cause);
    toast.error(`${error.message} ${error.nextStep}`);
  }
}

async function copyLink(): Promise<void> {
  try {
    await navigator.clipboard.writeText(window.location.href);
    toast("Link copied");
  } catch {
    toast.error("The browser refused to copy; take the link from the address bar"); // also without a clipboard at all
  }
}
