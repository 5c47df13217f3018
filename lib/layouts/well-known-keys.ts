import { type Layout, stringLayout } from "./layout";

/** Clients told by the prefix of their keys, whatever the value. The more telling ones come first. */
export const wellKnownKeys: readonly Layout[] = [
  stringLayout({
    id: "bullmq",
    label: "BullMQ job lock",
    confidence: "probable",
    key: /^[^:]+:[^:]+:[^:]+:lock$/,
    value: /^[0-9a-f-]{36}:\d+$/,
    holder: (match) => `worker ${match[0].slice(0, 8)}`,
    release: {
      kind: "refused",
      reason: "Without its lock the job looks stalled and BullMQ runs it a second time. Use the queue's own tooling.",
    },
  }),
  stringLayout({ id: "medusa", label: "Medusa locking-redis", confidence: "certain", key: /^medusa_lock:/ }),
  stringLayout({ id: "shedlock-key", label: "ShedLock", confidence: "probable", key: /^job-lock:/ }),
  stringLayout({ id: "syncguard", label: "syncguard", confidence: "certain", key: /^syncguard:/ }),
  stringLayout({ id: "redis-semaphore", label: "redis-semaphore mutex", confidence: "probable", key: /^mutex:/ }),
  stringLayout({ id: "redlock-key", label: "RedLock.net or pottery", confidence: "probable", key: /^redlock:/ }),
];

/** A prefix that says "lock" but not whose: asked only when the value tells nothing either. */
export const commonPrefixes: readonly Layout[] = [
  stringLayout({ id: "lock-key", label: "a client with the prefix lock:", confidence: "possible", key: /^lock:/ }),
];
