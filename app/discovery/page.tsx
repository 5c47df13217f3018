import type { Metadata } from "next";
import { DiscoverySection } from "@/components/discovery/discovery-section";
import { FirstValues } from "@/components/layout/first-values";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Discovery" };
export const dynamic = "force-dynamic";

export default async function DiscoveryPage() {
  const { cluster } = await getRuntime();
  return (
    <FirstValues cluster={cluster()}>
      <DiscoverySection />
    </FirstValues>
  );
}
