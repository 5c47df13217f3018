// `npm run bench -- NAME [--json FILE] [more]`: bundles test/bench/NAME.ts, since Node cannot load its TypeScript, and runs it.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";
import { markdownOf } from "./markdown.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const here = join(root, "test/bench");

/** @returns NAME, FILE and what is left of the words after `npm run bench --` */
function askedFor(words) {
  const names = readdirSync(here).filter((file) => file.endsWith(".ts"));
  const known = names.map((file) => file.slice(0, -".ts".length));
  const at = words.indexOf("--json");
  const file = at < 0 ? null : words[at + 1];
  const [name, ...rest] = at < 0 ? words : words.toSpliced(at, 2);
  if (file === undefined || name === undefined || !existsSync(join(here, `${name}.ts`))) {
    throw new Error(
      `Usage: npm run bench -- NAME [--json FILE] [options of the benchmark]. Names: ${known.join(", ")}`,
    );
  }
  return { name, file, rest };
}

function machine() {
  const [first] = cpus();
  return { cpus: cpus().length, model: first?.model ?? "unknown", memoryGb: Math.round(totalmem() / 2 ** 30) };
}

function versions() {
  const server = execFileSync("redis-server", ["--version"], { encoding: "utf8" });
  return { node: process.version, redis: /v=(\S+)/.exec(server)?.[1] ?? "unknown" };
}

const outDir = mkdtempSync(join(tmpdir(), "redlock-bench-bundle-"));
try {
  const { name, file, rest } = askedFor(process.argv.slice(2));
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
      rollupOptions: { input: { [name]: join(here, `${name}.ts`) } },
    },
  });
  const { run } = await import(pathToFileURL(join(outDir, `${name}.js`)).href);
  const rows = await run(rest);
  process.stdout.write(`\n${markdownOf(rows)}\n`);
  if (file !== null) {
    writeFileSync(file, `${JSON.stringify({ name, machine: machine(), versions: versions(), rows }, null, 2)}\n`);
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exitCode = 1;
} finally {
  rmSync(outDir, { recursive: true, force: true });
}
