// Keys that clients keep beside their locks: showing them as locks would be wrong, deleting them would do harm.
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
];

/**
 * Whether a key is a helper of some lock client rather than a lock. Source: `layouts.md`, 2f step 2.
 *
 * @param key as it stands in Redis
 */
export function isHelperKey(key: string): boolean {
  return HELPER_KEYS.some((pattern) => pattern.test(key));
}
