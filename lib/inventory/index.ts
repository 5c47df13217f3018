// lib/inventory: the live mirror of every node: sightings per node, merged into one list of locks with verdicts, and their past.
// Promises: a node that hangs delays only its own column; what is not known reads unknown; no token is kept or shown.
export { isVoting } from "./context";
export { Discovery, type DiscoveryOptions } from "./discovery";
export { Inventory, type InventoryOptions, type LockDifference } from "./inventory";
