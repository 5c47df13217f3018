import type { Metadata } from "next";
import type { ReactNode } from "react";
import { Providers } from "@/components/layout/providers";
import { Shell } from "@/components/layout/shell";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Redlock Console", template: "%s · Redlock Console" },
  description: "Who holds which distributed lock, whether a majority agrees, and for how long.",
};

export default function RootLayout({ children }: { readonly children: ReactNode }) {
  return (
    // The theme is written onto <html> before React wakes up, so that nothing flashes; React must not take offence.
    <html lang="en" suppressHydrationWarning>
      <body>
        <Providers>
          <Shell>{children}</Shell>
        </Providers>
      </body>
    </html>
  );
}
