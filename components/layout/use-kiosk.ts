import { usePathname, useRouter } from "next/navigation";
import { parseAsStringLiteral, useQueryState } from "nuqs";

/** The wallboard is a look of the overview, kept in the URL: a screen on a wall is started with a link. */
export function useKiosk(): { readonly isKiosk: boolean; readonly setKiosk: (isKiosk: boolean) => void } {
  const [kiosk, setKiosk] = useQueryState("kiosk", parseAsStringLiteral(["1"]));
  const isOverview = usePathname() === "/";
  const router = useRouter();
  return {
    isKiosk: isOverview && kiosk === "1",
    setKiosk: (isKiosk) => {
      if (isOverview) void setKiosk(isKiosk ? "1" : null);
      else if (isKiosk) router.push("/?kiosk=1");
    },
  };
}
