import { pause, pick, take, type Worker } from "./worker";

/** What one demonstration client does over and over: one round of it, ended early by the worker's signal. */
export type Habit = (worker: Worker) => Promise<void>;

/** Short work under many names. */
const shop: Habit = async (worker) => {
  const resource = pick(worker, ["orders:42", "orders:43", "orders:51", "orders:67", "carts:1005"]);
  const lock = await take(worker, resource, 8000);
  if (lock !== null) await pause(worker, 1500, 4500);
  await lock?.release();
  await pause(worker, 200, 900);
};

/** One long job that is extended again and again. */
const nightlyExport: Habit = async (worker) => {
  const lock = await take(worker, "cron:nightly-export", 6000);
  if (lock !== null) {
    worker.engine.keepAlive(lock, 6000);
    await pause(worker, 30_000, 45_000);
    await lock.release();
  }
  await pause(worker, 1000, 2500);
};

/** Two of these fight for one name. */
const stock: Habit = async (worker) => {
  const lock = await take(worker, "stock:9981", 5000, 4000);
  if (lock !== null) await pause(worker, 800, 2000);
  await lock?.release();
  await pause(worker, 50, 300);
};

/** Forgets what it holds: the lock lives out its time. */
const forgetful: Habit = async (worker) => {
  await take(worker, `reports:${pick(worker, ["weekly", "monthly", "churn"])}`, 20_000);
  await pause(worker, 7000, 12_000);
};

/** Dies in the middle of an acquire: two nodes have its key, nobody holds the lock. What a crash really leaves behind. */
const crashing: Habit = async (worker) => {
  const ttlMs = 9000;
  const request = {
    resources: [pick(worker, ["imports:feed-7", "imports:feed-9"])],
    token: worker.random.token(),
    ttlMs,
    isCancelled: () => worker.signal.aborted,
  };
  const reached = worker.masters.slice(0, Math.ceil(worker.masters.length / 2) - 1);
  await Promise.all(reached.map((master) => master.acquire(request)));
  await pause(worker, ttlMs, 2 * ttlMs);
  // It has been restarted and cleans up after itself; without effect when the time was over by itself.
  await Promise.all(reached.map((master) => master.release({ ...request, keepTryingForMs: ttlMs })));
};

/** One entry per demonstration client. */
export const HABITS: readonly Habit[] = [shop, shop, nightlyExport, stock, stock, forgetful, crashing];
