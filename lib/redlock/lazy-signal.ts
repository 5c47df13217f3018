/**
 * An AbortSignal that looks at the clock whenever it is read.
 *
 * A timer alone is too late after the process was stopped or the event loop stalled: code that was due before the timer goes
 * on first, reads `aborted` as false and writes once more (measured: three runs of three, in every library).
 *
 * @param refresh aborts the controller now if its time has come
 */
export function lazySignal(controller: AbortController, refresh: () => void): AbortSignal {
  const { signal } = controller;
  const inherited = {
    aborted: () => Reflect.get(AbortSignal.prototype, "aborted", signal) as boolean,
    reason: () => Reflect.get(AbortSignal.prototype, "reason", signal) as unknown,
  };
  return Object.defineProperties(signal, {
    aborted: {
      get: () => {
        refresh();
        return inherited.aborted();
      },
    },
    reason: {
      get: () => {
        refresh();
        return inherited.reason();
      },
    },
    throwIfAborted: {
      value: () => {
        refresh();
        AbortSignal.prototype.throwIfAborted.call(signal);
      },
    },
    // node-redlock's name for the reason.
    error: {
      get: () => {
        refresh();
        return inherited.reason();
      },
    },
  });
}
