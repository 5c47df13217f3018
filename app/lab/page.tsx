import type { Metadata } from "next";
import { LabSection } from "@/components/lab/lab-section";

export const metadata: Metadata = { title: "Quorum Lab" };
export const dynamic = "force-dynamic";

export default function LabPage() {
  return <LabSection />;
}
