// The clients of the Quorum Lab are processes of their own, and Node cannot load their TypeScript: bundled once, beside the pages.

import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Bundles the client and puts it where the lab looks for it.
 *
 * @param {string} root the project's folder, its packages installed
 * @returns {Promise<string>} the file
 */
export async function bundleLabClient(root) {
  const { build } = await import("vite");
  const folder = join(root, ".next");
  mkdirSync(folder, { recursive: true });
  const outDir = mkdtempSync(join(folder, "lab-client-"));
  try {
    await build({
      root,
      configFile: false,
      logLevel: "error",
      resolve: { alias: { "@": root } },
      // With its packages in it, the client needs no node_modules.
      ssr: { noExternal: true },
      build: {
        ssr: join(root, "lib/lab/client-main.ts"),
        outDir,
        minify: false,
        target: "node20",
        rollupOptions: { output: { entryFileNames: "client.mjs" } },
      },
    });
    const file = join(folder, "lab-client.mjs");
    // In one step: a console that starts a client meanwhile gets the old one or the new one, never half of it.
    renameSync(join(outDir, "client.mjs"), file);
    return file;
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}
