import { bytesOf } from "./bytes";
import { globMatcher } from "./glob";
import { type Identity, jointOwner, type Layout, pairsOf, type Sighting } from "./layout";
import { compareAndDelete, type Release, type ReleaseStep, recipe, refused, removeMembers } from "./release";

/** A layout an operator described, checked by `lib/setup`. */
export interface DeclaredLayout {
  readonly id: string;
  readonly label: string;
  /** Redis glob pattern of the keys. */
  readonly pattern: string;
  readonly type: "string" | "hash" | "set" | "zset";
  /** Which part of the value names the holder; null names nobody. */
  readonly holder:
    | { readonly kind: "regex"; readonly source: string }
    | { readonly kind: "json"; readonly path: readonly string[] }
    | { readonly kind: "field"; readonly name: string }
    | null;
  /** Why it must not be released from outside; null = it may be. */
  readonly refusal: string | null;
  /** Whom to wake after a release; `{key}` stands for the key. */
  readonly publish: { readonly channel: string; readonly message: string } | null;
}

/** The layout an operator described. What an operator says of their own keys is certain. */
export function declaredLayout(declared: DeclaredLayout): Layout {
  const { id, label, type, refusal } = declared;
  const fits = globMatcher(declared.pattern);
  const holderOf = holderReader(declared);
  return {
    id,
    type,
    identify(sighting) {
      if (!fits(sighting.key)) return null;
      const owner = ownerOf(sighting, declared);
      return {
        recognition: { id, label, confidence: "certain", holderLabel: holderOf(sighting) },
        owner,
        isRevocable: type === "string" && refusal === null,
        release: () => (refusal === null ? releaseOf(sighting, declared, owner) : refused(refusal)),
      };
    },
  };
}

function ownerOf(sighting: Sighting, { type, holder }: DeclaredLayout): Identity["owner"] {
  switch (type) {
    case "string":
      return sighting.value;
    case "hash": {
      const fields = pairsOf(sighting);
      const named = holder?.kind === "field" ? fields.filter(([name]) => name === bytesOf(holder.name)) : fields;
      return named.length === 0 ? null : jointOwner(named.map(([name, value]) => `${name} ${value}`));
    }
    case "zset":
    case "set": {
      const members = membersOf(sighting);
      return members.length === 0 ? null : jointOwner(members);
    }
    default:
      return type satisfies never;
  }
}

function releaseOf(sighting: Sighting, declared: DeclaredLayout, owner: Identity["owner"]): Release {
  const { key, value } = sighting;
  const wake = wakeOf(key, declared);
  if (owner === null) return refused("Nothing in it says who holds it, so it cannot be compared.");
  switch (declared.type) {
    case "string":
      return value === null ? refused("Its value is too long to be compared.") : compareAndDelete(key, value, wake);
    case "hash": {
      const { holder } = declared;
      const named = pairsOf(sighting).filter(([name]) => holder?.kind !== "field" || name === bytesOf(holder.name));
      const own = bytesOf(key);
      const expects = named.map(([element, is]) => ({ kind: "element", key: own, element, value: is }) as const);
      return recipe(key, expects, [{ kind: "delete", key: own }, ...wake]);
    }
    case "zset":
    case "set":
      return withSteps(removeMembers(key, membersOf(sighting)), wake);
    default:
      return declared.type satisfies never;
  }
}

function membersOf(sighting: Sighting): readonly string[] {
  return sighting.type === "zset" ? pairsOf(sighting).map(([member]) => member) : (sighting.elements?.words ?? []);
}

function withSteps(release: Release, more: readonly ReleaseStep[]): Release {
  if (release.kind === "refused") return release;
  return { kind: "recipe", recipe: { ...release.recipe, steps: [...release.recipe.steps, ...more] } };
}

function wakeOf(key: string, { publish }: DeclaredLayout): readonly ReleaseStep[] {
  if (publish === null) return [];
  const filled = (text: string) => bytesOf(text).replaceAll("{key}", () => bytesOf(key));
  return [{ kind: "publish", channel: filled(publish.channel), message: filled(publish.message) }];
}

/** @returns reads the holder's name out of a sighting, where the declaration says how */
function holderReader({ holder }: DeclaredLayout): (sighting: Sighting) => string | null {
  switch (holder?.kind) {
    case "regex": {
      const expression = new RegExp(holder.source);
      return ({ value, elements }) => {
        const match = expression.exec(value ?? elements?.words[0] ?? "");
        return match === null ? null : (match[1] ?? match[0]);
      };
    }
    case "json":
      return ({ value }) => (value === null ? null : atPath(value, holder.path));
    case "field":
      return (sighting) => pairsOf(sighting).find(([name]) => name === bytesOf(holder.name))?.[1] ?? null;
    case undefined:
      return () => null;
    default:
      return holder satisfies never;
  }
}

function atPath(text: string, path: readonly string[]): string | null {
  let at: unknown;
  try {
    at = JSON.parse(text);
  } catch {
    return null; // not the JSON it was declared to be: nobody is named
  }
  for (const name of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return null;
    at = (at as Readonly<Record<string, unknown>>)[name];
  }
  return typeof at === "string" || typeof at === "number" ? String(at) : null;
}
