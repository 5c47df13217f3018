import { parseAsArrayOf, parseAsString, useQueryState } from "nuqs";
import type { ClusterNode } from "@/lib/contract";

const HIDDEN = parseAsArrayOf(parseAsString).withDefault([]);

export interface HiddenNodes {
  readonly shown: readonly ClusterNode[];
  readonly hidden: readonly ClusterNode[];
  readonly hide: (id: string) => void;
  readonly showAll: () => void;
}

/** Which nodes the reader does not want to see, kept in the URL. Ids that are no node's are passed over. */
export function useHiddenNodes(nodes: readonly ClusterNode[]): HiddenNodes {
  const [ids, setIds] = useQueryState("hide", HIDDEN);
  return {
    shown: nodes.filter(({ id }) => !ids.includes(id)),
    hidden: nodes.filter(({ id }) => ids.includes(id)),
    hide: (id) => void setIds((before) => [...before, id]),
    showAll: () => void setIds(null),
  };
}
