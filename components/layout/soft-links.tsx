"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

/**
 * Follows the plain links of lists without loading the site anew. One listener for all of them: they come and go with the wheel, and each
 * `Link` of Next costs more than everything else in its row.
 */
export function SoftLinks() {
  const router = useRouter();
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a[data-row-link]") : null;
      const path = link?.getAttribute("href");
      const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
      // Anything else, a new tab for instance, is the browser's own business.
      if (path == null || !isPlain || event.defaultPrevented) return;
      event.preventDefault();
      router.push(path);
    };
    document.addEventListener("click", follow);
    return () => document.removeEventListener("click", follow);
  }, [router]);
  return null;
}
