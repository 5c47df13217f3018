import type { Usual } from "@/lib/contract";
import { namePatternOf } from "./name-pattern";
import { Sample } from "./sample";

/** Names and patterns whose figures are kept; the least recently used goes first. */
const RESOURCES_MAX = 5000;
const PATTERNS_MAX = 500;
const RESOURCE_HOLDS_MAX = 100;
const PATTERN_HOLDS_MAX = 500;
/** Fewer holds than this say nothing about what is usual. */
const HOLDS_MIN = 5;

/** A hold that has ended. */
export interface Hold {
  readonly heldMs: number;
  readonly renewals: number;
}

class Figures {
  readonly #name: string;
  readonly #heldMs: Sample;
  readonly #renewals: Sample;
  /** What `usual` says until a hold is added or taken back: every lock of a pattern asks the same. */
  #usual: Usual | null = null;

  constructor(name: string, holdsMax: number) {
    this.#name = name;
    this.#heldMs = new Sample(holdsMax);
    this.#renewals = new Sample(holdsMax);
  }

  add({ heldMs, renewals }: Hold): void {
    this.#usual = null;
    this.#heldMs.add(heldMs);
    this.#renewals.add(renewals);
  }

  takeBack({ heldMs, renewals }: Hold): void {
    this.#usual = null;
    this.#heldMs.takeBack(heldMs);
    this.#renewals.takeBack(renewals);
  }

  usual(): Usual | null {
    const holds = this.#heldMs.size;
    if (holds < HOLDS_MIN) return null;
    this.#usual ??= { name: this.#name, holds, holdMs: this.#heldMs.quantiles(), renewals: this.#renewals.quantiles() };
    return this.#usual;
  }
}

/** How long locks are held and how often they are renewed, per name and per pattern of names. */
export class UsualTimes {
  readonly #resources = new Map<string, Figures>();
  readonly #patterns = new Map<string, Figures>();

  note(resource: string, hold: Hold): void {
    figuresOf(this.#resources, resource, RESOURCES_MAX, RESOURCE_HOLDS_MAX).add(hold);
    const pattern = namePatternOf(resource);
    if (pattern !== null) figuresOf(this.#patterns, pattern, PATTERNS_MAX, PATTERN_HOLDS_MAX).add(hold);
  }

  /** A hold that somebody cut short says nothing about what is usual. */
  takeBack(resource: string, hold: Hold): void {
    this.#resources.get(resource)?.takeBack(hold);
    this.#patterns.get(namePatternOf(resource) ?? "")?.takeBack(hold);
  }

  of(resource: string): { readonly resource: Usual | null; readonly pattern: Usual | null } {
    const pattern = this.#patterns.size === 0 ? null : namePatternOf(resource);
    return {
      resource: this.#resources.get(resource)?.usual() ?? null,
      pattern: pattern === null ? null : (this.#patterns.get(pattern)?.usual() ?? null),
    };
  }
}

/** The figures under a name, now the youngest of the map, which keeps the order of insertion. */
function figuresOf(map: Map<string, Figures>, name: string, namesMax: number, holdsMax: number): Figures {
  const figures = map.get(name) ?? new Figures(name, holdsMax);
  map.delete(name);
  map.set(name, figures);
  if (map.size <= namesMax) return figures;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
  return figures;
}
