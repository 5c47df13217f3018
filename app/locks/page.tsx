import type { Metadata } from "next";
import { FirstValues } from "@/components/layout/first-values";
import { LocksSection } from "@/components/locks/locks-section";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Locks" };
export const dynamic = "force-dynamic";

export default async function LocksPage() {
  const { cluster, inventory } = await getRuntime();
  return (
    <FirstValues cluster={cluster()} locks={await inventory.list({ q: "", sort: "verdict", limit: 1000 })}>
      <LocksSection />
    </FirstValues>
  );
}
