import type { Metadata } from "next";
import { FirstValues } from "@/components/layout/first-values";
import { NodesSection } from "@/components/nodes/nodes-section";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Nodes" };
export const dynamic = "force-dynamic";

export default async function NodesPage() {
  const { cluster } = await getRuntime();
  return (
    <FirstValues cluster={cluster()}>
      <NodesSection />
    </FirstValues>
  );
}
