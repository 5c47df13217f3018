import type { Metadata } from "next";
import { IncidentsSection } from "@/components/incidents/incidents-section";
import { FirstValues } from "@/components/layout/first-values";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Incidents" };
export const dynamic = "force-dynamic";

export default async function IncidentsPage() {
  const { cluster, incidents } = await getRuntime();
  return (
    <FirstValues cluster={cluster()} incidents={incidents.list(Date.now())}>
      <IncidentsSection />
    </FirstValues>
  );
}
