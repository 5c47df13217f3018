"use client";

import { Search } from "lucide-react";
import { useEffect, useRef } from "react";
import { QUALIFIERS } from "@/lib/client";
import { inputLook } from "../../ui/field";
import { isTyping } from "./use-row-keys";

/** The console takes no longer search, and it gets a word of the preset in front. */
export const SEARCH_MAX = 400;

type Props = { readonly value: string; readonly onChange: (value: string) => void };

/** Search with qualifiers; `/` puts the focus here. */
export function SearchBox({ value, onChange }: Props) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "/" || isTyping(event)) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return (
    <search className="relative min-w-0 flex-1 basis-72">
      <Search aria-hidden className="pointer-events-none absolute top-2.5 left-3 size-4 text-mute" />
      <input
        ref={input}
        type="search"
        aria-label="Search locks"
        aria-keyshortcuts="/"
        list="search-words"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        placeholder="orders: verdict:at_risk ttl<5s — press / to search"
        maxLength={SEARCH_MAX}
        autoComplete="off"
        spellCheck={false}
        className={inputLook("pl-9 font-mono text-[13px]")}
      />
      <datalist id="search-words">
        {QUALIFIERS.map(({ example, meaning }) => (
          <option key={example} value={example} label={meaning} />
        ))}
      </datalist>
    </search>
  );
}
