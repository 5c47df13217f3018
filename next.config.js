/** A page with buttons that delete locks must not be framed and clicked through by another site. */
const HEADERS = [
  { key: "content-security-policy", value: "frame-ancestors 'none'" },
  { key: "x-frame-options", value: "DENY" },
  { key: "x-content-type-options", value: "nosniff" },
  { key: "referrer-policy", value: "no-referrer" },
];

/** @type {import('next').NextConfig} */
export default {
  headers: () => [{ source: "/:path*", headers: HEADERS }],
  reactStrictMode: true,
  poweredByHeader: false,
  // `npm test` and `npm run check` check the types, tests included; a build must neither repeat that nor fail over a test file.
  typescript: { ignoreBuildErrors: true },
  // Next would otherwise write rule files for coding assistants at the top level.
  agentRules: false,
  // Without this a development page opened as http://127.0.0.1 never hydrates.
  allowedDevOrigins: ["127.0.0.1", "localhost"],
};
