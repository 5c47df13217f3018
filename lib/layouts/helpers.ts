/** Keys that clients keep beside their locks: showing them as locks would be wrong, deleting them would do harm. */
const HELPER_KEYS: readonly RegExp[] = [
  // Of this console and its library: what lib/redis keeps to know a node that forgot its votes.
  /^redlock:\{guard\}:/,
  /^redisson_/,
  /:rwlock_timeout:/,
  /:stalled(-check)?$/,
  /^health:check:/,
  /^__redlock4j_cad_test__/,
  /^symfony_check_support_time$/,
  /^syncguard:(id|fence):/,
  /^nextid:/,
  /^lock-signal:/,
  // sidekiq-unique-jobs: everything but the hash that says who holds.
  /(^|:)uniquejobs:(?!.*:LOCKED$)/,
  // redlock4j: one key per reader, beside their count.
  /:readers:[0-9a-f]{40}$/,
];

/** Helpers whose names an ordinary lock could have: told by their type as well. */
const TYPED_HELPER_KEYS: readonly { readonly key: RegExp; readonly type: string }[] = [
  // redlock4j's fair lock: who waits.
  { key: /:queue$/, type: "zset" },
];

/**
 * Whether a key is a helper of some lock client rather than a lock. Source: `layouts.md`, 2f step 2.
 *
 * @param key as it stands in Redis
 * @param type Redis type name, where it is known
 */
export function isHelperKey(key: string, type?: string): boolean {
  return (
    HELPER_KEYS.some((pattern) => pattern.test(key)) ||
    TYPED_HELPER_KEYS.some((helper) => helper.type === type && helper.key.test(key))
  );
}
