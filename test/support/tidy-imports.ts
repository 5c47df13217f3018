// Who may import whom, and through which door.

import { posix } from "node:path";
import { at, dottedName, isCode, nodesOf, parse, type Rule, type SourceText } from "./tidy-source";

/** The table of the house, top row first. A module may import only what its row lists, and a row lists only rows above it. */
export const IMPORT_TABLE: Readonly<Record<string, readonly string[]>> = {
  "lib/setup": [],
  "lib/redlock": [],
  "lib/layouts": ["lib/redlock"],
  "lib/contract": ["lib/redlock", "lib/layouts"],
  "lib/client": ["lib/redlock", "lib/contract"],
  "lib/redis": ["lib/redlock", "lib/layouts"],
  "lib/cluster": ["lib/redlock", "lib/redis"],
  "lib/audit": ["lib/contract"],
  "lib/access": ["lib/contract"],
  "lib/incidents": ["lib/redlock", "lib/contract"],
  "lib/inventory": ["lib/redlock", "lib/layouts", "lib/contract", "lib/redis", "lib/incidents"],
  "lib/operations": ["lib/redlock", "lib/layouts", "lib/contract", "lib/redis", "lib/inventory", "lib/audit"],
  "lib/lab": ["lib/redlock", "lib/contract", "lib/redis", "lib/cluster"],
  "lib/runtime": [
    "lib/redlock",
    "lib/layouts",
    "lib/contract",
    "lib/redis",
    "lib/cluster",
    "lib/audit",
    "lib/access",
    "lib/incidents",
    "lib/inventory",
    "lib/operations",
    "lib/lab",
  ],
  "lib/http": ["lib/contract", "lib/access", "lib/runtime"],
  components: ["lib/redlock", "lib/contract", "lib/client"],
  "app/api": ["lib/contract", "lib/http"],
  app: ["lib/contract", "lib/client", "lib/runtime", "components"],
  instrumentation: ["lib/runtime"],
};

/** The launcher and the server must read the environment alike, so this one file has two readers. */
const SHARED_FILE = { importer: "lib/runtime/env.ts", imported: "lib/setup/environment.mjs" };

/** Folders and files a package may be imported in. Test code may use everything. */
const PACKAGE_HOMES: readonly { readonly name: RegExp; readonly homes: readonly string[] }[] = [
  { name: /^ioredis(\/|$)/, homes: ["lib/redis/"] },
  { name: /^swr(\/|$)/, homes: ["lib/client/"] },
  { name: /^(node:)?child_process$/, homes: ["lib/cluster/", "lib/setup/"] },
  { name: /^next(\/|$)/, homes: ["app/", "components/", "lib/http/", "lib/setup/", "instrumentation.ts"] },
  { name: /^(kysely|libsql|pg|better-sqlite3)(\/|$)/, homes: ["lib/audit/"] },
];
const ENVIRONMENT_HOMES = ["lib/runtime/env.ts", "lib/setup/", "instrumentation.ts", "next.config.js"];

/** The row of the table a file belongs to; null for files outside the house, such as tests. */
export function moduleOf(path: string): string | null {
  if (path === "instrumentation.ts") return "instrumentation";
  if (path.startsWith("app/api/") || /^app\/.*\broute\.ts$/.test(path)) return "app/api";
  if (path.startsWith("app/")) return "app";
  if (path.startsWith("components/")) return "components";
  return /^lib\/[^/]+(?=\/)/.exec(path)?.[0] ?? null;
}

/** What a specifier names inside the project, as a path from its root; null for packages. */
function targetOf(importer: string, specifier: string): string | null {
  if (specifier.startsWith("@/")) return specifier.slice(2);
  return specifier.startsWith(".") ? posix.join(posix.dirname(importer), specifier) : null;
}

function* projectImports(files: readonly SourceText[]) {
  for (const file of files.filter(isCode)) {
    const from = moduleOf(file.path);
    if (from === null) continue;
    for (const { specifier, start } of parse(file).imports) {
      const target = targetOf(file.path, specifier);
      if (target === null) continue;
      const isShared = file.path === SHARED_FILE.importer && target === SHARED_FILE.imported;
      // The slash lets a front door, `lib/redis`, belong to its module too.
      if (!isShared) yield { file, from, to: moduleOf(`${target}/`), specifier, target, where: at(file, start) };
    }
  }
}

/** Imports that the table does not list. */
export const importTable: Rule = (files) => {
  const problems: string[] = [];
  for (const { from, to, specifier, where } of projectImports(files)) {
    const row = IMPORT_TABLE[from];
    if (row === undefined) problems.push(`${where} ${from} has no row in the import table`);
    else if (to === null) problems.push(`${where} imports "${specifier}", which is no module of the house`);
    else if (to !== from && !row.includes(to)) problems.push(`${where} ${from} may not import ${to}`);
  }
  return problems;
};

/** Imports past a front door, or of one's own. */
export const frontDoors: Rule = (files) => {
  const problems: string[] = [];
  for (const { from, to, specifier, target, where } of projectImports(files)) {
    const isInside = to === from;
    if (isInside && from.startsWith("lib/") && (target === from || target === `${from}/index`)) {
      problems.push(`${where} imports its own index.ts; import the file itself, as "./file"`);
    } else if (isInside && from.startsWith("lib/") && specifier.startsWith("@/")) {
      problems.push(`${where} imports a file of its own module as "${specifier}"; write "./file"`);
    } else if (!isInside && to?.startsWith("lib/") && specifier !== `@/${to}`) {
      problems.push(`${where} imports "${specifier}"; the front door is "@/${to}"`);
    }
  }
  return problems;
};

/** Modules without a front door that says what they are for. `lib/setup` has main.mjs instead. */
export const frontDoorComments: Rule = (files) => {
  const modules = new Set(files.map((file) => moduleOf(file.path)).filter((name) => name?.startsWith("lib/")));
  modules.delete("lib/setup");
  return [...modules].flatMap((name) => {
    const door = files.find((file) => file.path === `${name}/index.ts`);
    if (door === undefined) return [`${name}/index.ts:1 is missing: every module has a front door`];
    return /^(\/\/|\/\*)/.test(door.text) ? [] : [`${door.path}:1 must begin with a comment: what the module is for`];
  });
};

/** Packages, and `process.env`, outside their one home. */
export const packageHomes: Rule = (files) =>
  files
    .filter((file) => isCode(file) && !file.path.startsWith("test/"))
    .flatMap((file) => {
      const imports = parse(file).imports.flatMap(({ specifier, start }) =>
        PACKAGE_HOMES.filter(({ name, homes }) => name.test(specifier) && !isAt(file, homes)).map(
          ({ homes }) => `${at(file, start)} imports ${specifier}; its home is ${homes[0]}`,
        ),
      );
      if (isAt(file, ENVIRONMENT_HOMES)) return imports;
      const reads = [...nodesOf(parse(file).program)]
        .filter(({ node }) => dottedName(node) === "process.env")
        .map(({ node }) => `${at(file, node.start)} reads process.env; its home is ${ENVIRONMENT_HOMES[0]}`);
      return [...imports, ...reads];
    });

function isAt(file: SourceText, homes: readonly string[]): boolean {
  return homes.some((home) => (home.endsWith("/") ? file.path.startsWith(home) : file.path === home));
}

/** `lib/runtime` must never reach a browser: it holds the connections and reads the secrets. */
export const serverOnly: Rule = (files) =>
  files
    .filter((file) => file.path === "lib/runtime/index.ts")
    .filter((file) => !parse(file).imports.some(({ specifier }) => specifier === "server-only"))
    .map((file) => `${file.path}:1 must import "server-only"`);
