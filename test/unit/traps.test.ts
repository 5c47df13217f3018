import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const TRAPS = 25;
const folder = fileURLToPath(new URL("..", import.meta.url));

/** Names of all tests that begin with "trap N: ", however they are given to `test`. */
function trapsIn(source: string): { readonly number: number; readonly name: string }[] {
  return [...source.matchAll(/["'`]trap (\d+): ([^"'`]+)["'`]/g)].map(([, number, name]) => ({
    number: Number(number),
    name: name ?? "",
  }));
}

function sources(): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => /\.test\.tsx?$/.test(file));
  return files.map((file) => readFileSync(`${folder}/${file}`, "utf8"));
}

test(`each of the ${TRAPS} traps a careless implementation falls into has a test of that name`, () => {
  const traps = sources().flatMap(trapsIn);
  const numbers = new Set(traps.map(({ number }) => number));
  const all = Array.from({ length: TRAPS }, (_, index) => index + 1);
  expect(all.filter((number) => !numbers.has(number))).toEqual([]);
  expect([...numbers].filter((number) => !all.includes(number))).toEqual([]);
  // One name twice would be two tests of which only one is ever looked for.
  const names = traps.map(({ number, name }) => `${number} ${name}`);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test("a name is found however it is quoted, and a number alone is no name", () => {
  const [quote, tick] = ['"', "`"];
  const source = `test(${quote}trap 3: a replica${quote}); test.each([[${tick}trap 12: late${tick}]]); // trap 4: said only`;
  expect(trapsIn(source).map(({ number }) => number)).toEqual([3, 12]);
});
