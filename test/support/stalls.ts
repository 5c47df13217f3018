const EVERY_MS = 10;

/** Measures for how long this process is kept from running, by its own work or by a busy machine. @returns ends it; milliseconds */
export function measureStalls(): () => number {
  let lastAt = performance.now();
  let stalledMs = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    stalledMs += Math.max(0, now - lastAt - EVERY_MS);
    lastAt = now;
  }, EVERY_MS);
  return () => {
    clearInterval(timer);
    return stalledMs;
  };
}
