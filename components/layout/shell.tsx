import { type ReactNode, Suspense } from "react";
import { HeldTray } from "../locks/held-tray";
import { Announcer } from "./announcer";
import { HeaderFrame } from "./header-frame";
import { StaleBanner } from "./stale-banner";

/** Header, content and the tray of held locks. */
export function Shell({ children }: { readonly children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col bg-bg">
      <a href="#main" className="skip-link rounded-lg bg-accent px-3 py-2 font-semibold text-accent-ink">
        Skip to the content
      </a>
      <HeaderFrame />
      <StaleBanner />
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-[1240px] flex-1 px-4 py-5 outline-none md:px-6">
        <Suspense>{children}</Suspense>
      </main>
      <HeldTray />
      <Announcer />
    </div>
  );
}
