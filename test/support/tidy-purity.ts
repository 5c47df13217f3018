// Modules that compute and nothing else: what they need of the world arrives as an argument or a port.

import { builtinModules } from "node:module";
import {
  at,
  dottedName,
  isCode,
  isNode,
  nodesOf,
  parse,
  type Rule,
  type SourceText,
  type SyntaxNode,
} from "./tidy-source";

const PURE = /^lib\/(redlock|layouts|contract|incidents)\//;
const PACKAGES: Readonly<Record<string, readonly string[]>> = { "lib/contract/": ["zod"] };

/** Clocks, timers, chance, network, log and environment, as they are spelled. */
const IMPURE_NAMES = new Set(["fetch", "setTimeout", "setInterval", "setImmediate"]);
const IMPURE_OBJECTS = new Set(["process", "performance", "console", "crypto"]);
const IMPURE_MEMBERS = new Set(["Date.now", "Math.random", "AbortSignal.timeout"]);

/** Whatever a pure module does besides computing. */
export const purity: Rule = (files) =>
  files.filter((file) => PURE.test(file.path) && isCode(file)).flatMap((file) => [...imports(file), ...uses(file)]);

function imports(file: SourceText): string[] {
  const allowed = Object.entries(PACKAGES).flatMap(([folder, names]) => (file.path.startsWith(folder) ? names : []));
  return parse(file)
    .imports.filter(({ specifier }) => !/^(\.|@\/)/.test(specifier) && !allowed.includes(specifier))
    .map(({ specifier, start }) => {
      const isNodes = specifier.startsWith("node:") || builtinModules.includes(specifier);
      return `${at(file, start)} imports ${specifier}, ${isNodes ? "which is I/O" : "a package"}, in a pure module`;
    });
}

function uses(file: SourceText): string[] {
  return [...nodesOf(parse(file).program)].flatMap(({ node, ancestors }) => {
    const name = impureName(node, ancestors.at(-1));
    return name === null
      ? []
      : [`${at(file, node.start)} uses ${name} in a pure module; take it as an argument or a port`];
  });
}

function impureName(node: SyntaxNode, parent: SyntaxNode | undefined): string | null {
  if (node.type === "NewExpression" && dottedName(node.callee) === "Date") {
    const isNow = Array.isArray(node.arguments) && node.arguments.length === 0;
    return isNow ? "new Date()" : null;
  }
  const name = dottedName(node)?.replace(/^(globalThis|window|self)\./, "");
  if (name === undefined || isMereName(node, parent)) return null;
  if (node.type === "MemberExpression") {
    const isImpure = IMPURE_MEMBERS.has(name) || IMPURE_OBJECTS.has(name.split(".")[0] ?? "") || IMPURE_NAMES.has(name);
    // `process.env.X` holds `process.env`: one report, for the outermost.
    return isImpure && parent?.type !== "MemberExpression" ? name : null;
  }
  return IMPURE_NAMES.has(name) && parent?.type === "CallExpression" ? `${name}()` : null;
}

/** A property or a parameter that happens to have such a name is not the global. */
function isMereName(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  return parent?.type === "MemberExpression" && isNode(parent.property) && parent.property === node;
}
