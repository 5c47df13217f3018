// REDLOCK_NODES: a list of URLs, one per independent master, a `#label` naming each.

const SCHEMES = ["redis:", "rediss:", "redis+unix:"];
const SCHEMES_LATER = ["redis+sentinel:", "redis+cluster:"];
const LABEL = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$/;

/**
 * The URLs in `text`, or null for the embedded cluster. What is wrong is appended to `errors`, never with a password in it.
 *
 * @param {string | null} text separated by commas, spaces or line ends
 * @param {string[]} errors
 * @returns {string[] | null}
 */
export function parseNodes(text, errors) {
  if (text === null) return null;
  // Only a separator in front of a scheme separates: a Sentinel URL has commas of its own.
  const urls = text
    .split(/[\s,]+(?=[a-z][a-z0-9+.-]*:\/\/)/i)
    .map((url) => url.replace(/[\s,]+$/, ""))
    .filter((url) => url !== "");
  const labels = new Set();
  const places = new Set();
  urls.forEach((url, index) => {
    const problem = problemOf(url, labels, places);
    if (problem !== null) errors.push(`REDLOCK_NODES, entry ${index + 1} (${maskUrl(url)}): ${problem}`);
  });
  return urls;
}

/**
 * A URL that may be shown: whatever stands between the user name and the last `@` is masked.
 *
 * @param {string} url
 * @returns {string}
 */
export function maskUrl(url) {
  return url
    .replace(/(:\/\/[^:@/?#]*):.*@/s, "$1:***@")
    .replace(/([?&](?:password|pass|auth|token)=)[^&#]*/gi, "$1***");
}

function problemOf(url, labels, places) {
  if (/\s/.test(url)) return "entries are separated by commas or spaces, and each begins with redis:// or rediss://.";
  if (!URL.canParse(url)) return "it is not a URL; write redis://host:port#label.";
  const { protocol, host, hostname, port, pathname, search, hash } = new URL(url);
  if (SCHEMES_LATER.includes(protocol)) return `${protocol}// is not available yet; name the masters themselves.`;
  if (!SCHEMES.includes(protocol))
    return `${protocol}// is not a scheme this console can dial; use redis:// or rediss://.`;
  if (host === "" && protocol !== "redis+unix:") return "it names no host.";
  const label = decodeURIComponent(hash.slice(1));
  if (label !== "") {
    if (!LABEL.test(label)) return "a label has up to 32 letters, digits, dots, dashes or underscores.";
    if (labels.has(label)) return `the label ${label} is used twice.`;
    labels.add(label);
  }
  // The same master twice would cast two votes: one crash could then cost a majority.
  const place = protocol === "redis+unix:" ? pathname + search : `${hostname}:${port || 6379}`;
  if (places.has(place)) return "the same master is listed twice, so it would vote twice.";
  places.add(place);
  return null;
}
