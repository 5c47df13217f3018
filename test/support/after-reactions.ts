/** For a virtual clock under Node: a tick asked for within a reaction comes when no reaction is left. */
export function afterReactions(next: () => void): void {
  queueMicrotask(() => process.nextTick(next));
}
