import type { Metadata } from "next";
import { FirstValues } from "@/components/layout/first-values";
import { LocksSection } from "@/components/locks/list/locks-section";
import { firstList, getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Locks" };
export const dynamic = "force-dynamic";

type Props = { readonly searchParams: Promise<Record<string, unknown>> };

export default async function LocksPage({ searchParams }: Props) {
  const { cluster, inventory } = await getRuntime();
  return (
    <FirstValues cluster={cluster()} locks={await firstList(inventory, await searchParams)}>
      <LocksSection />
    </FirstValues>
  );
}
