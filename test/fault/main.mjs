// `npm run fault`: bundles the checker and its worker once, since Node cannot load their TypeScript, and runs the checker.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { build } from "vite";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const outDir = mkdtempSync(join(tmpdir(), "redlock-fault-bundle-"));

try {
  await build({
    root,
    configFile: false,
    logLevel: "error",
    resolve: { alias: { "@": root } },
    // With its packages in it, the bundle can lie outside of the project.
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir,
      minify: false,
      target: "node20",
      rollupOptions: {
        input: Object.fromEntries(
          ["run", "worker", "holder"].map((name) => [name, join(root, `test/fault/${name}.ts`)]),
        ),
      },
    },
  });
  const { runFaultChecker } = await import(pathToFileURL(join(outDir, "run.js")).href);
  process.exitCode = await runFaultChecker(process.argv.slice(2), {
    root,
    worker: join(outDir, "worker.js"),
    holder: join(outDir, "holder.js"),
  });
} catch (error) {
  process.stderr.write(`${inspect(error)}\n`);
  process.exitCode = 1;
} finally {
  rmSync(outDir, { recursive: true, force: true });
}
// Not left to Node 20, which was seen to spin for ever while it tore down its handles after a run with many broken connections.
process.exit();
