// `npm run lab -- --times 20`: every scenario of the Quorum Lab, without a console. Bundled first, since Node cannot load TypeScript.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { build } from "vite";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const outDir = mkdtempSync(join(tmpdir(), "redlock-lab-bundle-"));

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
        // A client of its own, so that a run that takes long is not told by what is bundled meanwhile. The keeper knows it by this name.
        input: { run: join(root, "test/lab/run.ts"), "lab-client": join(root, "lib/lab/client-main.ts") },
        output: { entryFileNames: "[name].mjs" },
      },
    },
  });
  const { runLab } = await import(pathToFileURL(join(outDir, "run.mjs")).href);
  process.exitCode = await runLab(process.argv.slice(2), { clientProgram: join(outDir, "lab-client.mjs") });
} catch (error) {
  process.stderr.write(`${inspect(error)}\n`);
  process.exitCode = 1;
} finally {
  rmSync(outDir, { recursive: true, force: true });
}
// Not left to Node 20, see `npm run fault`.
process.exit();
