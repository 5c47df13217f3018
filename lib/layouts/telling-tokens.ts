import { type Layout, stringLayout } from "./layout";
import { isoTime } from "./times";

/** `MACHINE_pid_guid`, how DistributedLock names whoever holds or waits. */
export const MACHINE_ID = /^(.+)_(\d+)_[0-9a-f]{32}$/;

/** Clients whose value names its holder: host, process or time. */
export const tellingTokens: readonly Layout[] = [
  stringLayout({
    id: "shedlock",
    isOneServer: true,
    label: "ShedLock",
    confidence: "certain",
    value: /^ADDED:([0-9T:.Z+-]+)@([^:]+):[0-9a-f-]{36}$/,
    holder: (match) => `${match[2]}, since ${match[1]}`,
  }),
  stringLayout({
    id: "distributed-lock-net-writer-waiting",
    label: "DistributedLock (.NET), a writer that waits",
    confidence: "certain",
    value: /^(.+)_(\d+)_[0-9a-f]{32}_WRITERWAITING$/,
    holder: (match) => `${match[1]}, pid ${match[2]}, waits for the readers to finish`,
  }),
  stringLayout({
    id: "distributed-lock-net",
    label: "DistributedLock (.NET)",
    confidence: "certain",
    value: MACHINE_ID,
    holder: (match) => `${match[1]}, pid ${match[2]}`,
  }),
  stringLayout({
    id: "redlock-universal-lean",
    isOneServer: true,
    label: "redlock-universal, lean lock",
    confidence: "probable",
    // The number between is Math.random(), in version 0.8 in base 36.
    value: /^(\d{13})-(?:0?\.\d+(?:e-\d+)?|[0-9a-z]{1,14})-(\d+)$/,
    holder: (match) => `pid ${match[2]}, since ${isoTime(Number(match[1]))}`,
  }),
  stringLayout({
    id: "redlock-universal-metadata",
    label: "redlock-universal, value with metadata",
    confidence: "possible",
    value: /^([^:\s]+):(\d{13}):[0-9a-f]{16}$/,
    holder: (match) => `${match[1]}, since ${isoTime(Number(match[2]))}`,
  }),
];
