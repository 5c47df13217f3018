/** A key as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

const READ_BY_TYPE: Readonly<Record<string, (key: string) => string>> = {
  string: (key) => `GET ${key}`,
  hash: (key) => `HGETALL ${key}`,
  zset: (key) => `ZRANGE ${key} 0 -1 WITHSCORES`,
  list: (key) => `LRANGE ${key} 0 -1`,
  set: (key) => `SMEMBERS ${key}`,
};

/**
 * The redis-cli commands that show on one node what the page shows.
 *
 * @param address host:port, or the path of a Unix socket
 * @param type Redis type of the key; null when there is none or it is not known
 */
export function redisCliCommand(address: string, resource: string, type: string | null): string {
  const target = targetOf(address);
  const key = quoted(resource);
  const read = READ_BY_TYPE[type ?? "string"] ?? ((name: string) => `TYPE ${name}`);
  return `redis-cli ${target} ${read(key)}; redis-cli ${target} PTTL ${key}`;
}

function targetOf(address: string): string {
  if (address.startsWith("/")) return `-s ${quoted(address)}`;
  const colon = address.lastIndexOf(":");
  const host = address.slice(0, colon).replace(/^\[|\]$/g, "");
  const port = `-p ${address.slice(colon + 1)}`;
  return host === "127.0.0.1" || host === "localhost" ? port : `-h ${host} ${port}`;
}
