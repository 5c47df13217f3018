// Source files as the tidy test sees them: text, and a syntax tree to ask precise questions of. A rule that searched the text
// would trip over its own words in comments and strings.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";

/** One file; `path` from the project's root, with forward slashes. */
export interface SourceText {
  readonly path: string;
  readonly text: string;
}

/** A node of the tree, as far as rules look at it. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** A rule: what is wrong in these files, one line each, beginning with `path:line`. */
export type Rule = (files: readonly SourceText[]) => string[];

interface Parsed {
  readonly program: SyntaxNode;
  readonly comments: readonly { readonly type: string; readonly value: string; readonly start: number }[];
  readonly imports: readonly { readonly specifier: string; readonly start: number }[];
}

const CODE = /\.(ts|tsx|mts|mjs|js)$/;
const parsed = new WeakMap<SourceText, Parsed>();

/** Whether there is a syntax tree for it. */
export function isCode(file: SourceText): boolean {
  return CODE.test(file.path);
}

/** The tree of one file, its comments and everything it imports or re-exports, type imports included. */
export function parse(file: SourceText): Parsed {
  const known = parsed.get(file);
  if (known !== undefined) return known;
  const isTypeScript = /\.m?ts$/.test(file.path);
  const { program, comments, module, errors } = parseSync(file.path, file.text, { lang: isTypeScript ? "ts" : "tsx" });
  if (errors.length > 0) throw new SyntaxError(`${file.path}: ${errors[0]?.message}`);
  const named = [
    ...module.staticImports.map((entry) => entry.moduleRequest),
    ...module.staticExports.flatMap((entry) => entry.entries.map((part) => part.moduleRequest)),
  ];
  const imports = named.flatMap((request) => (request ? [{ specifier: request.value, start: request.start }] : []));
  for (const { moduleRequest } of module.dynamicImports) {
    const quoted = /^["'`](.*)["'`]$/s.exec(file.text.slice(moduleRequest.start, moduleRequest.end));
    if (quoted?.[1] !== undefined) imports.push({ specifier: quoted[1], start: moduleRequest.start });
  }
  const result = { program: program as unknown as SyntaxNode, comments, imports };
  parsed.set(file, result);
  return result;
}

/** Every node of the tree with its ancestors, nearest last. */
export function* nodesOf(
  root: SyntaxNode,
  ancestors: readonly SyntaxNode[] = [],
): Generator<{ node: SyntaxNode; ancestors: readonly SyntaxNode[] }> {
  yield { node: root, ancestors };
  const inner = [...ancestors, root];
  for (const value of Object.values(root)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodesOf(child, inner);
  }
}

/** Narrows an unknown field to a node. */
export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

/** The dotted name an expression spells, `process.env` for instance; null for anything else. */
export function dottedName(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === "Identifier") return String(node.name);
  if (node.type !== "MemberExpression" || node.computed === true) return null;
  const object = dottedName(node.object);
  return object === null || !isNode(node.property) ? null : `${object}.${String(node.property.name)}`;
}

/** `path:line` of a place in a file. */
export function at(file: SourceText, offset: number): string {
  return `${file.path}:${file.text.slice(0, offset).split("\n").length}`;
}

/** Number of lines; a final newline does not begin another. */
export function lineCount(text: string): number {
  return text.replace(/\n$/, "").split("\n").length;
}

/** Reads all text files below `folders`, and `files`, of the project in `root`. */
export function readSources(root: string, folders: readonly string[], files: readonly string[]): SourceText[] {
  const inFolders = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|tsx|mts|mjs|js|c|css|md)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replace(/^\//, "")),
  );
  return [...inFolders, ...files].sort().map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}
