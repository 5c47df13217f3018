"use client";

import { ThemeProvider } from "next-themes";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import type { ReactNode } from "react";
import { Toaster } from "sonner";
import { LiveProvider } from "@/lib/client";
import { TooltipProvider } from "../ui/tooltip";

/** What every page needs around it: theme, URL state, live data, tooltips and toasts. */
export function Providers({ children }: { readonly children: ReactNode }) {
  return (
    <ThemeProvider attribute="data-theme" defaultTheme="system" enableSystem disableTransitionOnChange>
      <NuqsAdapter>
        <LiveProvider>
          <TooltipProvider>{children}</TooltipProvider>
        </LiveProvider>
      </NuqsAdapter>
      <Toaster
        position="bottom-right"
        toastOptions={{
          style: { background: "var(--raised)", color: "var(--ink)", border: "1px solid var(--line)" },
        }}
      />
    </ThemeProvider>
  );
}
