// Sizes, names and the few constructions that are never allowed.

import {
  at,
  dottedName,
  isCode,
  isNode,
  lineCount,
  nodesOf,
  parse,
  type Rule,
  type SourceText,
  type SyntaxNode,
} from "./tidy-source";

const FILE_LINES_MAX = 250;
/** Compiled on the user's machine by whatever compiler is there: so little that it can be read in one go. */
const C_LINES_MAX = 90;
const FUNCTION_LINES_MAX = 60;
const COMPONENT_LINES_MAX = 150;
const ROUTE_LINES_MAX = 40;
const FORBIDDEN_FOLDERS = ["utils", "helpers", "types", "hooks", "services", "constants", "docs"];
const TOP_LEVEL = [
  ...["app", "components", "lib", "test", "public"],
  ...["README.md", "LICENSE", "package.json", "package-lock.json"],
  ...["tsconfig.json", "next.config.js", "biome.json", "instrumentation.ts"],
];
/** Next asks for a default export in these, and configurations of tools are read by their default export. */
const DEFAULT_EXPORTED =
  /^(app\/(.*\/)?(page|layout|template|default|loading|error|global-error|not-found|forbidden|unauthorized|icon|apple-icon|opengraph-image|manifest|robots|sitemap)\.tsx?|(test\/)?[\w-]+\.config\.(ts|js))$/;
const FUNCTIONS = ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"];

/** Files and functions that have grown past their limit. */
export const sizes: Rule = (files) =>
  files.flatMap((file) => {
    const isC = file.path.endsWith(".c");
    if (!isC && !isCode(file)) return [];
    const lines = lineCount(file.text);
    const max = isC ? C_LINES_MAX : maxLines(file.path);
    const own = lines > max ? [`${file.path}:${max + 1} has ${lines} lines; the limit is ${max}`] : [];
    return isC || file.path.startsWith("test/") ? own : [...own, ...longFunctions(file)];
  });

function maxLines(path: string): number {
  if (/^app\/.*\b(page\.tsx|route\.ts)$/.test(path)) return ROUTE_LINES_MAX;
  return path.startsWith("components/") ? COMPONENT_LINES_MAX : FILE_LINES_MAX;
}

function longFunctions(file: SourceText): string[] {
  return [...nodesOf(parse(file).program)].flatMap(({ node, ancestors }) => {
    if (!FUNCTIONS.includes(node.type)) return [];
    // A component is mostly markup; the limit of its file is enough for it.
    if (file.path.endsWith(".tsx") && /^[A-Z]/.test(functionName(node, ancestors.at(-1)))) return [];
    const lines = lineCount(file.text.slice(node.start, node.end));
    return lines > FUNCTION_LINES_MAX
      ? [`${at(file, node.start)} a function of ${lines} lines; the limit is ${FUNCTION_LINES_MAX}`]
      : [];
  });
}

function functionName(node: SyntaxNode, parent: SyntaxNode | undefined): string {
  return dottedName(node.id) ?? dottedName(parent?.id) ?? "";
}

/** Default exports where nobody demands one: they let every importer choose another name. */
export const defaultExports: Rule = (files) =>
  files
    .filter((file) => isCode(file) && !DEFAULT_EXPORTED.test(file.path))
    .flatMap((file) =>
      [...nodesOf(parse(file).program)]
        .filter(({ node }) => node.type === "ExportDefaultDeclaration")
        .map(({ node }) => `${at(file, node.start)} exports a default; export by name`),
    );

/** Ways around the type checker. */
export const escapeHatches: Rule = (files) =>
  files.filter(isCode).flatMap((file) => {
    const { program, comments } = parse(file);
    const nodes = [...nodesOf(program)].flatMap(({ node }) => {
      if (node.type === "TSAnyKeyword") return [`${at(file, node.start)} any: say what it is, or unknown`];
      return node.type === "TSNonNullExpression" ? [`${at(file, node.start)} "!": check for null`] : [];
    });
    const silenced = comments
      .filter(({ value }) => /@ts-(ignore|nocheck|expect-error)\b/.test(value))
      .map(({ start }) => `${at(file, start)} silences the type checker`);
    return [...nodes, ...silenced];
  });

/** Failures that vanish without a word. */
export const emptyCatches: Rule = (files) =>
  files.filter(isCode).flatMap((file) => {
    const { program, comments } = parse(file);
    return [...nodesOf(program)]
      .filter(({ node }) => node.type === "CatchClause" && isNode(node.body))
      .filter(({ node }) => isNode(node.body) && Array.isArray(node.body.body) && node.body.body.length === 0)
      .filter(({ node }) => !comments.some(({ start }) => start > node.start && start < node.end))
      .map(({ node }) => `${at(file, node.start)} an empty catch needs a sentence saying why`);
  });

/** Waits of a fixed length in tests: too short on a busy machine, too long on every other. Support code polls with a deadline. */
export const fixedWaits: Rule = (files) =>
  files
    .filter((file) => isCode(file) && /^test\/.*\.(test|spec)\.tsx?$/.test(file.path))
    .flatMap((file) => {
      const { program, imports } = parse(file);
      const timers = imports
        .filter(({ specifier }) => /^(node:)?timers\/promises$/.test(specifier))
        .map(({ start }) => `${at(file, start)} imports timers/promises; wait for a condition with a deadline`);
      const waits = [...nodesOf(program)]
        .filter(({ node, ancestors }) => isFixedWait(node, ancestors))
        .map(({ node }) => `${at(file, node.start)} waits for a fixed time; wait for a condition with a deadline`);
      return [...timers, ...waits];
    });

function isFixedWait(node: SyntaxNode, ancestors: readonly SyntaxNode[]): boolean {
  if (node.type !== "CallExpression") return false;
  const callee = dottedName(node.callee) ?? "";
  if (callee.endsWith(".waitForTimeout")) return true;
  if (!/^(globalThis\.)?setTimeout$/.test(callee)) return false;
  // `new Promise((resolve) => setTimeout(resolve, 100))`: a timer whose callback is the resolver itself.
  const callback = Array.isArray(node.arguments) ? dottedName(node.arguments[0]) : null;
  return ancestors.some((ancestor) => ancestor.type === "NewExpression" && resolverOf(ancestor) === callback);
}

function resolverOf(node: SyntaxNode): string | undefined {
  if (dottedName(node.callee) !== "Promise" || !Array.isArray(node.arguments)) return undefined;
  const executor: unknown = node.arguments[0];
  return isNode(executor) && Array.isArray(executor.params) ? (dottedName(executor.params[0]) ?? undefined) : undefined;
}

/** Folders named after nothing in particular, and files not in kebab-case. */
export const names: Rule = (files) =>
  files.flatMap(({ path }) => {
    const parts = path.split("/");
    const file = parts.pop() ?? "";
    const folder = parts.find((part) => FORBIDDEN_FOLDERS.includes(part));
    if (folder !== undefined)
      return [`${path}:1 is in a folder "${folder}"; a helper lives in the module that owns its noun`];
    const isKebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)+$/.test(file) || file === "README.md";
    return isKebab ? [] : [`${path}:1 is not named in kebab-case`];
  });

/** What lies at the top of the project and should not. Dot files belong to tools; what git ignores is left out by the caller. */
export function topLevel(entries: readonly string[]): string[] {
  return entries
    .filter((entry) => !entry.startsWith(".") && !TOP_LEVEL.includes(entry))
    .map((entry) => `${entry}:1 does not belong at the top level`);
}

/** Error codes nobody can look up. */
export function undocumentedCodes(codes: readonly string[], documents: readonly SourceText[]): string[] {
  return codes
    .filter((code) => !documents.some(({ text }) => text.includes(`\`${code}\``)))
    .map((code) => `README.md:1 does not explain the error code \`${code}\``);
}
