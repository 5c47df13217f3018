import { type ReactNode, Suspense } from "react";
import { HeldTray } from "../locks/held-tray";
import { Announcer } from "./announcer";
import { HeaderFrame } from "./header-frame";
import { KioskBar } from "./kiosk-bar";
import { OverlayKeys, Overlays } from "./overlays";
import { SoftLinks } from "./soft-links";
import { StaleBanner } from "./stale-banner";
import { ZoneInUrl } from "./zone-in-url";

/** Header, content and the tray of held locks. What reads the URL waits in a Suspense: a page made ahead of time has none. */
export function Shell({ children }: { readonly children: ReactNode }) {
  return (
    <div className="shell flex min-h-dvh flex-col bg-bg">
      <a href="#main" className="skip-link rounded-lg bg-accent px-3 py-2 font-semibold text-accent-ink">
        Skip to the content
      </a>
      <HeaderFrame />
      <Suspense>
        <KioskBar />
      </Suspense>
      <StaleBanner />
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-[1240px] flex-1 px-4 py-5 outline-none md:px-6">
        <Suspense>{children}</Suspense>
      </main>
      <div className="tray contents">
        <HeldTray />
      </div>
      <Announcer />
      <OverlayKeys />
      <SoftLinks />
      <Suspense>
        <ZoneInUrl />
        <Overlays />
      </Suspense>
    </div>
  );
}
