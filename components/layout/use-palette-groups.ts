import { ArrowRight, Plus, Search, Server } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { type LockSet, useCluster, useLockSet } from "@/lib/client";
import { resourceIdOf } from "@/lib/contract";
import { useBlockedReason } from "../locks/use-blocked-reason";
import { VERDICT_LOOKS } from "../locks/verdicts";
import { nodeLook } from "../nodes/node-looks";
import { openOverlay } from "./overlay";
import { PAGES } from "./pages";
import { findByName, fitsEntry, type PaletteEntry } from "./palette-entries";
import { usePaletteActions } from "./use-palette-actions";

/** Entries under one heading. */
export interface PaletteGroup {
  readonly title: string;
  readonly entries: readonly PaletteEntry[];
}

const LOCKS_MAX = 8;

/** What fits the query, by kind; what does not is left out, and so are headings without anything below. */
export function usePaletteGroups(query: string): readonly PaletteGroup[] {
  const router = useRouter();
  const go = (href: string) => () => router.push(href);
  const pages = PAGES.map(({ href, label, icon }) => ({
    id: `page ${href}`,
    label,
    icon,
    words: "page",
    run: go(href),
  }));
  const locks = useLockEntries(query, go);
  const nodes = useNodeEntries(go);
  const actions = usePaletteActions();
  const byName = useByNameEntries(query, go);
  const fitting = (entries: readonly PaletteEntry[]) => entries.filter((entry) => fitsEntry(entry, query));
  return [
    { title: "Pages", entries: fitting(pages) },
    { title: query === "" ? "Locks with problems" : "Locks", entries: locks },
    { title: "Actions", entries: fitting(actions) },
    { title: "Nodes", entries: fitting(nodes) },
    { title: "By exact name", entries: byName },
  ].filter(({ entries }) => entries.length > 0);
}

type Go = (href: string) => () => void;

function useLockEntries(query: string, go: Go): readonly PaletteEntry[] {
  const state = useLockSet();
  const now = state.kind === "ready" ? state.set : null;
  // Which locks and in which order stays as it was when the palette opened: a row that moves up must not come under the finger.
  const [frozen, setFrozen] = useState<LockSet | null>(now);
  if (frozen === null && now !== null) setFrozen(now);
  if (frozen === null) return [];
  return findByName(frozen, query, LOCKS_MAX).map((id) => {
    const lock = now?.byId.get(id)?.value;
    const look = VERDICT_LOOKS[lock?.verdict ?? "free"];
    const resource = lock?.resource ?? frozen.byId.get(id)?.value.resource ?? id;
    return { id: `lock ${id}`, label: resource, icon: look.icon, note: look.word, run: go(`/locks/${id}`) };
  });
}

function useNodeEntries(go: Go): readonly PaletteEntry[] {
  const state = useCluster();
  if (state.kind !== "ready") return [];
  return state.cluster.value.nodes.map((node) => ({
    id: `node ${node.id}`,
    label: `Node ${node.id}`,
    icon: Server,
    words: node.address,
    note: nodeLook(node).word,
    run: go(`/nodes#node-${encodeURIComponent(node.id)}`),
  }));
}

/** Leads to a lock's page also when nobody holds it, and to the list that knows more locks than this browser. */
function useByNameEntries(query: string, go: Go): readonly PaletteEntry[] {
  const blocked = useBlockedReason();
  if (query === "") return [];
  return [
    {
      id: "name open",
      label: `Open “${query}”`,
      icon: ArrowRight,
      note: "its page, also when it is free",
      run: go(`/locks/${resourceIdOf(query)}`),
    },
    {
      id: "name search",
      label: `Search all locks for “${query}”`,
      icon: Search,
      run: go(`/locks?q=${encodeURIComponent(query)}`),
    },
    {
      id: "name acquire",
      label: `Acquire “${query}”…`,
      icon: Plus,
      disabledReason: blocked,
      run: () => openOverlay({ kind: "acquire", resource: query }),
    },
  ];
}
