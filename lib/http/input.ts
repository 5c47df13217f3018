import type * as z from "zod";
import { AppError } from "@/lib/contract";

/** Longest body that is read, bytes. */
const BODY_BYTES_MAX = 64 * 1024;
const SHOWN_CHARACTERS_MAX = 120;
const SECRET_FIELD = /token|password|secret/i;

/** One broken rule: which field, what it held, what it must be. */
interface InputProblem {
  readonly field: string;
  readonly value: unknown;
  readonly rule: string;
}

/**
 * @param place what is checked, in words: "body", "query", "path"
 * @returns `value` as `schema` makes it
 * @throws AppError invalid_request, its details naming field, value and rule
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown, place: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.flatMap((issue) => problemsOf(issue, value));
  const first = details[0];
  const message = first === undefined ? "it is not valid" : `${first.field}: ${first.rule}`;
  throw new AppError("invalid_request", `The ${place} was refused. ${message}`, { details });
}

/** The query as an object. A name given twice is refused: which of the two was meant cannot be known. */
export function queryOf(request: Request): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of new URL(request.url).searchParams) {
    if (Object.hasOwn(query, name)) {
      throw new AppError("invalid_request", `The query was refused. ${name}: given twice`, {
        details: [{ field: name, value, rule: "given twice" }],
      });
    }
    query[name] = value;
  }
  return query;
}

/** The body as JSON. @throws AppError invalid_request when it is too long, not UTF-8 or not JSON */
export async function jsonBodyOf(request: Request): Promise<unknown> {
  const bytes = await boundedBytes(request);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new AppError("invalid_request", "The body was refused. It must be one JSON object in UTF-8.", { cause });
  }
}

/**
 * Path parameters as they stand in the URL, still percent-encoded. A router may hand them over decoded, and decoding
 * `a%252Fb` twice would name another lock.
 */
export function rawParams(request: Request, params: unknown): Record<string, unknown> {
  const segments = new URL(request.url).pathname.split("/");
  const entries = Object.entries((params ?? {}) as Record<string, unknown>);
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      segments.find((segment) => segment === value || decoded(segment) === value) ?? value,
    ]),
  );
}

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null; // a lone percent sign: compared as it stands
  }
}

async function boundedBytes(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > BODY_BYTES_MAX) {
      await reader.cancel();
      throw new AppError("invalid_request", `The body was refused. It is longer than ${BODY_BYTES_MAX} bytes.`);
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks);
}

function problemsOf(issue: z.core.$ZodIssue, input: unknown): InputProblem[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => problem([...path, key], input, "there is no such field"));
  }
  return [problem(path, input, issue.message)];
}

function problem(path: readonly string[], input: unknown, rule: string): InputProblem {
  const isSecret = path.some((step) => SECRET_FIELD.test(step));
  // The whole input is not repeated: it may hold a token beside the field that is wrong.
  const value = path.length === 0 || isSecret ? null : shown(valueAt(input, path));
  return { field: path.length === 0 ? "(the whole)" : path.join("."), value, rule };
}

function valueAt(input: unknown, path: readonly string[]): unknown {
  let value = input;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

function shown(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === "string") return value.slice(0, SHOWN_CHARACTERS_MAX);
  return typeof value === "object" && value !== null ? (Array.isArray(value) ? "(a list)" : "(an object)") : value;
}
