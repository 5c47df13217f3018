"use client";

import { EyeOff } from "lucide-react";
import { useEffect, useRef } from "react";
import type { ClusterNode } from "@/lib/contract";
import { Button } from "../ui/button";
import { nodeLook } from "./node-looks";

type Props = { readonly hidden: readonly ClusterNode[]; readonly n: number; readonly onShow: () => void };

/** Nobody may forget a hidden node: says which, how they are, that they count all the same, and shows them again. */
export function HiddenNodesNotice({ hidden, n, onShow }: Props) {
  const show = useRef<HTMLButtonElement>(null);
  const count = hidden.length;
  const before = useRef(count);
  useEffect(() => {
    // The button that hid a node went with its card; the keyboard must not start again at the top of the page.
    if (count > before.current && document.activeElement === document.body) show.current?.focus();
    before.current = count;
  }, [count]);
  if (count === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 rounded-xl border border-edge border-dashed px-4 py-2.5">
      <EyeOff aria-hidden className="size-4 text-mute" />
      <p>
        <b>{count} hidden</b>
        {": "}
        {hidden.map((node, index) => {
          const { word } = nodeLook(node);
          return (
            <span key={node.id}>
              {index > 0 && ", "}
              {node.id} <span className={word === "up" ? "text-mute" : "font-semibold text-risk"}>({word})</span>
            </span>
          );
        })}
        <span className="text-mute"> · only from view: the votes and the quorum above still count all {n} nodes</span>
      </p>
      <Button ref={show} size="small" className="ml-auto" onClick={onShow}>
        Show {count === 1 ? "it" : "them"}
      </Button>
    </div>
  );
}
