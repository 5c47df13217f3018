"use client";

import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useEffect, useRef } from "react";
import { useZone, zoneChoice } from "@/lib/client";

/**
 * Keeps `?tz=utc` in the address while times are shown in UTC, so that a copied link shows the same. Local time has no word: it would
 * be another time at the reader's. Where the address changes its mind (a link, the back button), the page follows.
 */
export function ZoneInUrl() {
  const [tz, setTz] = useQueryState("tz", parseAsStringLiteral(["utc"]));
  const zone = useZone();
  const seen = useRef<typeof tz>(null);
  useEffect(() => {
    const isNew = tz !== seen.current;
    seen.current = tz;
    if (isNew && tz !== null && tz !== zone) {
      zoneChoice.follow(tz);
      return;
    }
    const wanted = zone === "utc" ? "utc" : null;
    if (tz !== wanted) void setTz(wanted);
  }, [tz, zone, setTz]);
  return null;
}
