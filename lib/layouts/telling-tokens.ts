import { type Layout, stringLayout } from "./layout";

/** Clients whose value names its holder: host, process or time. */
export const tellingTokens: readonly Layout[] = [
  stringLayout({
    id: "shedlock",
    label: "ShedLock",
    confidence: "certain",
    value: /^ADDED:([0-9T:.Z+-]+)@([^:]+):[0-9a-f-]{36}$/,
    holder: (match) => `${match[2]}, since ${match[1]}`,
  }),
  stringLayout({
    id: "distributed-lock-net",
    label: "DistributedLock (.NET)",
    confidence: "certain",
    value: /^(.+)_(\d+)_[0-9a-f]{32}$/,
    holder: (match) => `${match[1]}, pid ${match[2]}`,
  }),
  stringLayout({
    id: "redlock-universal-lean",
    label: "redlock-universal, lean lock",
    confidence: "probable",
    value: /^(\d{13})-0?\.\d+(?:e-\d+)?-(\d+)$/,
    holder: (match) => `pid ${match[2]}, since ${isoTime(Number(match[1]))}`,
  }),
];

function isoTime(epochMs: number): string {
  const time = new Date(epochMs);
  return Number.isNaN(time.getTime()) ? "an unknown time" : time.toISOString();
}
