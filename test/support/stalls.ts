const EVERY_MS = 10;

/**
 * Measures for how long a busy machine keeps this process from running. What the process itself computes is not counted.
 *
 * @returns ends it; milliseconds
 */
export function measureStalls(): () => number {
  const before = process.cpuUsage();
  let lastAt = performance.now();
  let lateMs = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    lateMs += Math.max(0, now - lastAt - EVERY_MS);
    lastAt = now;
  }, EVERY_MS);
  return () => {
    clearInterval(timer);
    const { user, system } = process.cpuUsage(before);
    return Math.max(0, lateMs - (user + system) / 1000);
  };
}
