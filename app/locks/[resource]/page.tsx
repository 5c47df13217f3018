import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { FirstValues } from "@/components/layout/first-values";
import { LockSection } from "@/components/locks/lock-section";
import { resourceIdOf, resourceOfId } from "@/lib/contract";
import { getRuntime } from "@/lib/runtime";

export const dynamic = "force-dynamic";

type Props = { readonly params: Promise<{ readonly resource: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { resource } = await params;
  return { title: resourceOfId(resource) ?? "Lock" };
}

export default async function LockPage({ params }: Props) {
  const resource = resourceOfId((await params).resource);
  if (resource === null) notFound();
  const { cluster, inventory } = await getRuntime();
  return (
    <FirstValues cluster={cluster()} lock={await inventory.detail(resource)}>
      <LockSection id={resourceIdOf(resource)} resource={resource} />
    </FirstValues>
  );
}
