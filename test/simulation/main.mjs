// `npm run simulate -- --schedules 10000 --seed 1 [--long] [--fair]`: random schedules of faults on virtual time. Bundled first, since Node cannot load TypeScript.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "vite";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const outDir = mkdtempSync(join(tmpdir(), "redlock-simulation-"));

try {
  await build({
    root,
    configFile: false,
    logLevel: "error",
    resolve: { alias: { "@": root } },
    ssr: { noExternal: true },
    build: { ssr: join(root, "test/simulation/run.ts"), outDir, minify: false, target: "node20" },
  });
  const { simulate } = await import(pathToFileURL(join(outDir, "run.js")).href);
  const { values } = parseArgs({
    options: {
      schedules: { type: "string", default: "10000" },
      seed: { type: "string", default: String(Date.now()) },
      long: { type: "boolean", default: false },
      fair: { type: "boolean", default: false },
    },
  });
  process.exitCode = await simulate({
    schedules: Number(values.schedules),
    seed: Number(values.seed),
    areLong: values.long,
    areFair: values.fair,
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
} finally {
  rmSync(outDir, { recursive: true, force: true });
}
