// Entry of the child process in `stopped-holder.ts`: Node cannot load its TypeScript by itself.

import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const { module } = await runnerImport(`${root}/test/support/stopped-holder.ts`, {
  root,
  configFile: false,
  envFile: false,
  logLevel: "error",
  resolve: { alias: { "@": root } },
});
await module.holdAndWrite(JSON.parse(process.argv[2] ?? ""));
