// lib/inventory: the live mirror of every node: sightings per node, merged into one list of locks with verdicts, and their past; and a
// sample of all keys on request, to find out where locks are.
// Promises: a node that hangs delays only its own column; what is not known reads unknown; no token is kept or shown.
export { isVoting } from "./context";
export { Discovery } from "./discovery";
export { Inventory, type InventoryOptions } from "./inventory";
export type { PageFeed, PageView } from "./page-feed";
export type { LockDifference } from "./publisher";
