import { type Layout, stringLayout } from "./layout";

// Clients whose value is nothing but a random token: the shape of the value is all there is to go by, and several share one.

/** Random tokens in hexadecimal digits: node-redlock and its relatives, this console, redlock4j. */
export const hexTokens: readonly Layout[] = [
  stringLayout({
    id: "redlock-uuid1",
    label: "redis-py Lock or node-redlock",
    confidence: "possible",
    // A version 1 UUID without dashes: the version digit 1 stands at position 13, the variant digit at 17.
    value: /^[0-9a-f]{12}1[0-9a-f]{3}[89ab][0-9a-f]{15}$/,
  }),
  stringLayout({
    id: "redlock-hex",
    label: "node-redlock or compatible",
    confidence: "probable",
    // 16 random bytes in node-redlock and its kin, 20 in redlock4j and in this console.
    value: /^(?:[0-9a-f]{32}|[0-9a-f]{40})$/,
  }),
];

/** Random tokens in base64 and other alphabets: redsync, python-redis-lock, @redis-kit/lock, redlock-py. */
export const alphabetTokens: readonly Layout[] = [
  stringLayout({ id: "redsync", label: "redsync (Go)", confidence: "probable", value: /^[A-Za-z0-9+/]{22}==$/ }),
  stringLayout({
    id: "redlock-py",
    label: "redlock-py or @redis-kit/lock",
    confidence: "possible",
    value: /^[A-Za-z0-9]{22}$/,
  }),
  stringLayout({ id: "redis-kit", label: "@redis-kit/lock", confidence: "probable", value: /^[A-Za-z0-9+/]{22}$/ }),
  stringLayout({
    id: "rslock",
    label: "rslock (Rust)",
    confidence: "possible",
    // Twenty raw bytes: at least one of them is not printable ASCII, or it would be a word of twenty letters.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the token is bytes, not text.
    value: /^(?=.*[\u0000-\u001f\u007f-\u00ff]).{20}$/s,
  }),
];

/** UUID tokens, shared by half a dozen clients. */
export const uuidTokens: readonly Layout[] = [
  stringLayout({
    id: "redlock-uuid",
    label: "a UUID client (redis-semaphore, ioredis-lock, redlock-rb, aioredlock)",
    confidence: "possible",
    value: /^[0-9a-f]{8}-[0-9a-f]{4}-[1-7][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i,
  }),
];
