import type { Usual } from "@/lib/contract";
import { namePatternOf } from "./name-pattern";
import { type Quantiles, Sample } from "./sample";

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
  /** How much of its time was over at its first renewal, per cent; null when it was never renewed. */
  readonly renewedAtPercent: number | null;
}

/** When locks of a name are renewed for the first time, where most of them are. */
export interface Renewing {
  readonly name: string;
  /** Holds that were renewed. */
  readonly holds: number;
  /** How much of their time was over then, per cent. */
  readonly atPercent: Quantiles;
}

class Figures {
  readonly #name: string;
  readonly #heldMs: Sample;
  readonly #renewals: Sample;
  readonly #renewedAtPercent: Sample;
  /** What `usual` says until a hold is added or taken back: every lock of a pattern asks the same. */
  #usual: Usual | null = null;
  #renewing: Renewing | null = null;

  constructor(name: string, holdsMax: number) {
    this.#name = name;
    this.#heldMs = new Sample(holdsMax);
    this.#renewals = new Sample(holdsMax);
    this.#renewedAtPercent = new Sample(holdsMax);
  }

  add({ heldMs, renewals, renewedAtPercent }: Hold): void {
    this.#forget();
    this.#heldMs.add(heldMs);
    this.#renewals.add(renewals);
    if (renewedAtPercent !== null) this.#renewedAtPercent.add(renewedAtPercent);
  }

  takeBack({ heldMs, renewals, renewedAtPercent }: Hold): void {
    this.#forget();
    this.#heldMs.takeBack(heldMs);
    this.#renewals.takeBack(renewals);
    if (renewedAtPercent !== null) this.#renewedAtPercent.takeBack(renewedAtPercent);
  }

  usual(): Usual | null {
    const holds = this.#heldMs.size;
    if (holds < HOLDS_MIN) return null;
    this.#usual ??= { name: this.#name, holds, holdMs: this.#heldMs.quantiles(), renewals: this.#renewals.quantiles() };
    return this.#usual;
  }

  /** Null where too few were renewed, or fewer than half of them. */
  renewing(): Renewing | null {
    const holds = this.#renewedAtPercent.size;
    if (holds < HOLDS_MIN || this.#renewals.quantiles().p50 === 0) return null;
    this.#renewing ??= { name: this.#name, holds, atPercent: this.#renewedAtPercent.quantiles() };
    return this.#renewing;
  }

  #forget(): void {
    this.#usual = null;
    this.#renewing = null;
  }
}

/** What is usual for a lock, by the holds of its name and of its pattern that have ended; null where there were too few. */
export interface UsualFor {
  readonly usual: { readonly resource: Usual | null; readonly pattern: Usual | null };
  /** Of the name where its holds say it, else of the pattern. */
  readonly renewing: Renewing | null;
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

  of(resource: string): UsualFor {
    const pattern = this.#patterns.size === 0 ? null : namePatternOf(resource);
    const own = this.#resources.get(resource);
    const shared = pattern === null ? undefined : this.#patterns.get(pattern);
    const usual = { resource: own?.usual() ?? null, pattern: shared?.usual() ?? null };
    const renewing = usual.resource === null ? shared?.renewing() : own?.renewing();
    return { usual, renewing: renewing ?? null };
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
