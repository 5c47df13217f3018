// For every rule of the tidy test: planted files that break it, and files that look like it and do not.

import { frontDoorComments, frontDoors, importTable, packageHomes, serverOnly } from "./tidy-imports";
import { purity } from "./tidy-purity";
import { defaultExports, emptyCatches, escapeHatches, fixedWaits, names, sizes } from "./tidy-shape";
import type { Rule, SourceText } from "./tidy-source";

/** One planted file. */
export function plant(path: string, ...lines: string[]): SourceText {
  return { path, text: `${lines.join("\n")}\n` };
}

/** One rule, in words and in examples. */
export interface RuleCase {
  readonly rule: Rule;
  readonly says: string;
  /** Files that break the rule, each once, with the place that must be named. */
  readonly broken: readonly (readonly [SourceText, string])[];
  /** Files that look like it and do not. */
  readonly sound: readonly SourceText[];
}

/** Every rule over source files. */
export const RULES: readonly RuleCase[] = [
  {
    rule: importTable,
    says: "a module imports only what its row of the table lists",
    broken: [
      [plant("lib/redlock/a.ts", "", 'import { b } from "@/lib/redis";'), "lib/redlock/a.ts:2"],
      [plant("lib/redlock/a.ts", 'export type { B } from "@/lib/redis";'), "lib/redlock/a.ts:1"],
      [plant("components/locks/a.tsx", 'import type { B } from "@/lib/runtime";'), "components/locks/a.tsx:1"],
      [plant("lib/client/a.ts", 'export const b = () => import("@/lib/redis");'), "lib/client/a.ts:1"],
      [plant("lib/client/a.ts", 'import { b } from "../redis";'), "lib/client/a.ts:1"],
      [plant("app/api/v1/locks/route.ts", 'import { r } from "@/lib/runtime";'), "app/api/v1/locks/route.ts:1"],
      [plant("app/page.tsx", 'import { r } from "@/lib/redis";'), "app/page.tsx:1"],
      [plant("lib/setup/a.mjs", 'import { r } from "../runtime/b.mjs";'), "lib/setup/a.mjs:1"],
      [plant("lib/novel/a.ts", 'import { r } from "@/lib/redlock";'), "lib/novel/a.ts:1"],
      [plant("lib/http/a.ts", 'import { r } from "@/test/support/b";'), "lib/http/a.ts:1"],
    ],
    sound: [
      plant("lib/redis/a.ts", 'import type { Fault } from "@/lib/redlock";', 'import { c } from "./c";'),
      plant("lib/redlock/a.ts", '// import { b } from "@/lib/redis";', "export const text = 'from \"@/lib/redis\"';"),
      plant("lib/runtime/env.ts", 'import { readEnvironment } from "../setup/environment.mjs";'),
      plant("app/healthz/route.ts", 'import { route } from "@/lib/http";'),
    ],
  },
  {
    rule: frontDoors,
    says: "another module is entered by its front door, one's own files are imported directly",
    broken: [
      [plant("lib/redis/a.ts", 'import { b } from "@/lib/redlock/units";'), "lib/redis/a.ts:1"],
      [plant("lib/redis/a.ts", 'import { b } from "../redlock";'), "lib/redis/a.ts:1"],
      [plant("lib/redis/a.ts", 'import { b } from "./index";'), "lib/redis/a.ts:1"],
      [plant("lib/redis/a.ts", 'import { b } from ".";'), "lib/redis/a.ts:1"],
      [plant("lib/redis/a.ts", 'import { b } from "@/lib/redis";'), "lib/redis/a.ts:1"],
      [plant("lib/redis/a.ts", 'import { b } from "@/lib/redis/b";'), "lib/redis/a.ts:1"],
    ],
    sound: [plant("lib/redis/a.ts", 'import { b } from "@/lib/redlock";', 'import { c } from "./deep/c";')],
  },
  {
    rule: frontDoorComments,
    says: "every module of lib has an index.ts that begins with what it is for",
    broken: [
      [plant("lib/redis/a.ts", "export const a = 1;"), "lib/redis/index.ts:1"],
      [plant("lib/redis/index.ts", 'export { a } from "./a";'), "lib/redis/index.ts:1"],
    ],
    sound: [plant("lib/redis/index.ts", "// lib/redis: the only home of ioredis.", 'export { a } from "./a";')],
  },
  {
    rule: packageHomes,
    says: "a package, and the environment, has one home",
    broken: [
      [plant("lib/runtime/a.ts", 'import { Redis } from "ioredis";'), "lib/runtime/a.ts:1"],
      [plant("components/a.tsx", 'import useSWR from "swr";'), "components/a.tsx:1"],
      [plant("lib/runtime/a.ts", 'import { spawn } from "node:child_process";'), "lib/runtime/a.ts:1"],
      [plant("lib/redis/a.ts", 'import { headers } from "next/headers";'), "lib/redis/a.ts:1"],
      [plant("lib/runtime/a.ts", "", "export const a = process.env.HOME;"), "lib/runtime/a.ts:2"],
    ],
    sound: [
      plant("lib/redis/a.ts", 'import { Redis } from "ioredis";'),
      plant("components/a.tsx", 'import Link from "next/link";', 'import { useTheme } from "next-themes";'),
      plant("lib/runtime/env.ts", "export const a = process.env.HOME;"),
      plant("test/support/a.ts", 'import { Redis } from "ioredis";'),
    ],
  },
  {
    rule: serverOnly,
    says: "the composition root cannot be bundled for a browser",
    broken: [[plant("lib/runtime/index.ts", "// lib/runtime: the composition root."), "lib/runtime/index.ts:1"]],
    sound: [plant("lib/runtime/index.ts", "// lib/runtime: the composition root.", 'import "server-only";')],
  },
  {
    rule: purity,
    says: "redlock, layouts and contract have no clock, chance, timer, network, log or environment of their own",
    broken: [
      [plant("lib/redlock/a.ts", "", "export const a = () => Date.now();"), "lib/redlock/a.ts:2"],
      [plant("lib/redlock/a.ts", "export const a = () => new Date();"), "lib/redlock/a.ts:1"],
      [plant("lib/layouts/a.ts", "export const a = () => Math.random();"), "lib/layouts/a.ts:1"],
      [plant("lib/redlock/a.ts", "export const a = () => performance.now();"), "lib/redlock/a.ts:1"],
      [plant("lib/redlock/a.ts", "export const a = () => globalThis.performance.now();"), "lib/redlock/a.ts:1"],
      [plant("lib/redlock/a.ts", "export const a = () => setTimeout(a, 1);"), "lib/redlock/a.ts:1"],
      [plant("lib/contract/a.ts", "export const a = () => fetch('/');"), "lib/contract/a.ts:1"],
      [plant("lib/contract/a.ts", "export const a = () => console.log(1);"), "lib/contract/a.ts:1"],
      [plant("lib/contract/a.ts", "export const a = process.env.HOME;"), "lib/contract/a.ts:1"],
      [plant("lib/redlock/a.ts", "export const a = () => crypto.randomUUID();"), "lib/redlock/a.ts:1"],
      [plant("lib/redlock/a.ts", "export const a = AbortSignal.timeout(5);"), "lib/redlock/a.ts:1"],
      [plant("lib/redlock/a.ts", 'import { createHash } from "node:crypto";'), "lib/redlock/a.ts:1"],
      [plant("lib/redlock/a.ts", 'import { z } from "zod";'), "lib/redlock/a.ts:1"],
    ],
    sound: [
      plant(
        "lib/redlock/a.ts",
        "// Not Date.now(): the wall clock moves.",
        "export const a = (at: number) => new Date(at);",
      ),
      plant("lib/redlock/a.ts", "export const a = (clock: { now(): number }) => clock.now();"),
      plant("lib/contract/a.ts", 'import * as z from "zod";', "export const a = z.string();"),
      plant("lib/redis/a.ts", "export const a = () => performance.now();"),
    ],
  },
  {
    rule: sizes,
    says: "files and functions stay within their limits",
    broken: [
      [plant("lib/redis/a.ts", ...Array(251).fill("//")), "lib/redis/a.ts:251"],
      [plant("components/locks/a.tsx", ...Array(151).fill("//")), "components/locks/a.tsx:151"],
      [plant("app/locks/page.tsx", ...Array(41).fill("//")), "app/locks/page.tsx:41"],
      [plant("app/api/v1/locks/route.ts", ...Array(41).fill("//")), "app/api/v1/locks/route.ts:41"],
      [plant("lib/redis/a.ts", "", "export function a() {", ...Array(59).fill("//"), "}"), "lib/redis/a.ts:2"],
      [plant("lib/cluster/a.c", ...Array(91).fill("//")), "lib/cluster/a.c:91"],
    ],
    sound: [
      plant("lib/redis/a.ts", ...Array(250).fill("//")),
      plant("lib/redis/a.ts", "export function a() {", ...Array(58).fill("//"), "}"),
      plant("components/a.tsx", "export function LockTable() {", ...Array(100).fill("//"), "}"),
      plant("lib/cluster/a.c", ...Array(90).fill("//")),
    ],
  },
  {
    rule: defaultExports,
    says: "only Next's files and configurations export a default",
    broken: [[plant("lib/redis/a.ts", "", "export default 1;"), "lib/redis/a.ts:2"]],
    sound: [
      plant("app/locks/[resource]/page.tsx", "export default function Page() { return null; }"),
      plant("test/vitest.config.ts", "export default {};"),
    ],
  },
  {
    rule: escapeHatches,
    says: "nothing goes around the type checker",
    broken: [
      [plant("lib/redis/a.ts", "", "export const a = 1 as any;"), "lib/redis/a.ts:2"],
      [plant("lib/redis/a.ts", "export let a: any;"), "lib/redis/a.ts:1"],
      [plant("lib/redis/a.ts", "export const a = (b: string | null) => b!.length;"), "lib/redis/a.ts:1"],
      [plant("lib/redis/a.ts", "", "// @ts-ignore", "export const a = 1;"), "lib/redis/a.ts:2"],
      [plant("test/unit/a.test.ts", "// @ts-expect-error", "export const a = 1;"), "test/unit/a.test.ts:1"],
    ],
    sound: [plant("lib/redis/a.ts", 'export const a = "as any, @ts-ignore";', "// any node may answer")],
  },
  {
    rule: emptyCatches,
    says: "no failure vanishes without a sentence",
    broken: [[plant("lib/redis/a.ts", "try { f(); } catch {}"), "lib/redis/a.ts:1"]],
    sound: [plant("lib/redis/a.ts", "try { f(); } catch {", "  // It is gone already, as wanted.", "}")],
  },
  {
    rule: fixedWaits,
    says: "no test waits for a fixed time",
    broken: [
      [plant("test/unit/a.test.ts", "await new Promise((done) => setTimeout(done, 100));"), "test/unit/a.test.ts:1"],
      [plant("test/e2e/a.spec.ts", "", "await page.waitForTimeout(500);"), "test/e2e/a.spec.ts:2"],
      [plant("test/unit/a.test.ts", 'import { setTimeout } from "node:timers/promises";'), "test/unit/a.test.ts:1"],
    ],
    sound: [
      plant("test/support/wait-for.ts", "await new Promise((done) => setTimeout(done, 10));"),
      plant("test/unit/a.test.ts", "const timer = setTimeout(() => fail(), 5000);"),
    ],
  },
  {
    rule: names,
    says: "no folder is named after nothing in particular, and files are in kebab-case",
    broken: [
      [plant("lib/redis/utils/a.ts"), "lib/redis/utils/a.ts:1"],
      [plant("lib/redis/LockNode.ts"), "lib/redis/LockNode.ts:1"],
      [plant("components/lock_row.tsx"), "components/lock_row.tsx:1"],
    ],
    sound: [plant("lib/redis/lock-node.ts"), plant("app/locks/[resource]/page.tsx"), plant("lib/README.md")],
  },
];
