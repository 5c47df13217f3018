import { FlaskConical, House, Lock, type LucideIcon, Search, Server, Siren } from "lucide-react";

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
  { href: "/incidents", label: "Incidents", icon: Siren },
  { href: "/discovery", label: "Discovery", icon: Search },
  { href: "/lab", label: "Lab", icon: FlaskConical },
];
