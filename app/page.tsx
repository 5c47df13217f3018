import type { Metadata } from "next";
import { FirstValues } from "@/components/layout/first-values";
import { OverviewSection } from "@/components/overview/overview-section";
import { firstList, getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Overview" };
export const dynamic = "force-dynamic";

export default async function OverviewPage() {
  const { cluster, inventory, incidents } = await getRuntime();
  return (
    <FirstValues
      cluster={cluster()}
      locks={await firstList(inventory, { show: "problems" })}
      incidents={incidents.list(Date.now())}
    >
      <OverviewSection />
    </FirstValues>
  );
}
