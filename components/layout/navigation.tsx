"use client";

import clsx from "clsx";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { PAGES } from "./pages";

/** The pages. */
export function Navigation() {
  const path = usePathname();
  const isHere = (href: string) => (href === "/" ? path === "/" : path.startsWith(href));
  return (
    <nav aria-label="Pages" className="-mx-1 flex flex-wrap justify-between gap-x-0 sm:justify-start sm:gap-x-1">
      {PAGES.map(({ href, label }) => (
        <Link
          key={href}
          href={href}
          aria-current={isHere(href) ? "page" : undefined}
          className={clsx(
            "inline-flex min-h-8 items-center rounded-lg px-1 max-sm:text-[12.5px] sm:px-2.5",
            isHere(href) ? "bg-track font-semibold text-ink" : "text-mute hover:bg-hover hover:text-ink",
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
