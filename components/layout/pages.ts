import { FlaskConical, House, Lock, type LucideIcon, Server } from "lucide-react";

/** A page of the console, as the navigation and the palette name it. */
export interface PageLink {
  readonly href: string;
  readonly label: string;
  readonly icon: LucideIcon;
}

export const PAGES: readonly PageLink[] = [
  { href: "/", label: "Overview", icon: House },
  { href: "/locks", label: "Locks", icon: Lock },
  { href: "/nodes", label: "Nodes", icon: Server },
  { href: "/lab", label: "Lab", icon: FlaskConical },
];
