import { isIP } from "node:net";
import type { RedisOptions } from "ioredis";
import { type NodeId, nodeId } from "@/lib/redlock";

/** Where one master is and how to log in there, as written in its URL. */
export interface NodeEndpoint {
  readonly id: NodeId;
  /** host:port, or the path of the socket; to show and to pass to redis-cli. */
  readonly address: string;
  readonly database: number;
  readonly connect: RedisOptions;
}

const SCHEMES = "redis://, rediss:// and redis+unix://";
const SOCKET_HOST = "localhost";
const DATABASE_MAX = 2 ** 31 - 1;

/**
 * Reads the URL of one master: `redis://user:password@host:port/database#label`, `rediss://` for TLS, or
 * `redis+unix://user:password@/path/to/socket?db=database#label`.
 *
 * @returns the endpoint; without a label the node is named by its address
 * @throws RangeError with a sentence for the operator; it never contains the password
 */
export function parseNodeUrl(text: string): NodeEndpoint {
  const shown = maskUrl(text);
  const url = urlOf(text, shown);
  switch (url.protocol) {
    case "redis:":
    case "rediss:":
      return tcpEndpoint(url, shown);
    case "redis+unix:":
      return socketEndpoint(url, shown);
    case "redis+sentinel:":
    case "rediss+sentinel:":
    case "redis+cluster:":
    case "rediss+cluster:":
      throw new RangeError(
        `${shown}: ${url.protocol}// is not supported yet; name the masters themselves with ${SCHEMES}.`,
      );
    default:
      throw new RangeError(`${shown}: unknown kind of address; use ${SCHEMES}.`);
  }
}

/** The URL as it may be shown: user name and password replaced. Also for text that is no valid URL. */
export function maskUrl(text: string): string {
  const afterScheme = text.indexOf("://") < 0 ? 0 : text.indexOf("://") + 3;
  // The last @ before the path: a password may itself contain one that nobody escaped.
  const end = text.slice(afterScheme).search(/[/?#](?!.*@)/);
  const authority = end < 0 ? text.slice(afterScheme) : text.slice(afterScheme, afterScheme + end);
  const at = authority.lastIndexOf("@");
  return at < 0 ? text : `${text.slice(0, afterScheme)}***@${text.slice(afterScheme + at + 1)}`;
}

function urlOf(text: string, shown: string): URL {
  try {
    // A URL may not have a user without a host, and a socket has no host: it gets the one that file: URLs use.
    return new URL(text.replace(/^(redis\+unix:\/\/[^/]*@)\//i, `$1${SOCKET_HOST}/`));
  } catch {
    // The cause is left out on purpose: Node's error carries the input, and with it the password.
    throw new RangeError(`${shown}: not a URL; write it as redis://host:port#label.`);
  }
}

function tcpEndpoint(url: URL, shown: string): NodeEndpoint {
  const host = decoded(url.hostname, shown).replace(/^\[|\]$/g, "");
  if (host === "") throw new RangeError(`${shown}: the host is missing.`);
  const port = url.port === "" ? 6379 : Number(url.port);
  const path = url.pathname.replace(/^\/|\/$/g, "");
  const database = databaseOf(path === "" ? queryDatabase(url, shown) : path, shown);
  const address = isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`;
  // A certificate names hosts, not addresses: server name indication is only sent for a name.
  const tls = url.protocol === "rediss:" ? { tls: isIP(host) === 0 ? { servername: host } : {} } : {};
  return {
    id: nodeId(labelOf(url, shown) ?? address),
    address,
    database,
    connect: { host, port, ...credentials(url, shown), db: database, ...tls },
  };
}

function socketEndpoint(url: URL, shown: string): NodeEndpoint {
  // `redis+unix://path` without the third slash would take the first folder for a host.
  if (url.hostname !== "" && url.hostname !== SOCKET_HOST)
    throw new RangeError(`${shown}: write the socket's full path, as redis+unix:///path/to/socket.`);
  const path = decoded(url.pathname, shown);
  if (path === "" || path === "/") throw new RangeError(`${shown}: the path of the socket is missing.`);
  const database = databaseOf(queryDatabase(url, shown), shown);
  return {
    id: nodeId(labelOf(url, shown) ?? path),
    address: path,
    database,
    connect: { path, ...credentials(url, shown), db: database },
  };
}

function labelOf(url: URL, shown: string): string | null {
  const label = decoded(url.hash.slice(1), shown);
  return label === "" ? null : label;
}

function credentials(url: URL, shown: string): Pick<RedisOptions, "username" | "password"> {
  return {
    ...(url.username === "" ? {} : { username: decoded(url.username, shown) }),
    ...(url.password === "" ? {} : { password: decoded(url.password, shown) }),
  };
}

function queryDatabase(url: URL, shown: string): string {
  for (const name of url.searchParams.keys()) {
    if (name !== "db") throw new RangeError(`${shown}: unknown option "${name}"; only db is known.`);
  }
  return url.searchParams.get("db") ?? "0";
}

function databaseOf(text: string, shown: string): number {
  const database = Number(text);
  if (!/^\d+$/.test(text) || database > DATABASE_MAX) {
    throw new RangeError(`${shown}: "${text}" is not a database number.`);
  }
  return database;
}

function decoded(text: string, shown: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The cause would carry the text, which may be the password.
    throw new RangeError(`${shown}: a % that is not followed by two hexadecimal digits; write % itself as %25.`);
  }
}
