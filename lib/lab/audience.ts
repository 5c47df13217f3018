import type { LabAudience } from "@/lib/contract";

export interface AudienceOptions {
  /** How long the driver may be away, milliseconds: a page that is loaded again comes back sooner. */
  readonly leaveMs: number;
  /** Whether a run is on. */
  readonly isOn: () => boolean;
  /** Somebody was to watch the run, and nobody does any more. */
  readonly onDeserted: () => void;
  readonly onChange: () => void;
}

/** The pages that look at the lab, and the one among them that drives its run. */
export class Audience {
  readonly #options: AudienceOptions;
  /** Connections by viewer: a page that reconnects has two for a moment. */
  readonly #viewers = new Map<string, number>();
  #driver: string | null = null;
  /** Only a run that was started or taken over from a page is ended when no page is left. */
  #isAttended = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: AudienceOptions) {
    this.#options = options;
  }

  view(): LabAudience {
    return { viewers: this.#viewers.size, driver: this.#driver };
  }

  /** Whether this viewer may drive: nobody else is in the seat. */
  mayDrive(viewer: string | null): boolean {
    return this.#driver === null || this.#driver === viewer;
  }

  /** Puts a viewer into the seat, or empties it; for a new run. */
  begin(viewer: string | null): void {
    this.#isAttended = viewer !== null;
    this.#seat(viewer);
  }

  /** Gives the seat to a viewer, whoever had it. */
  takeOver(viewer: string): void {
    this.#isAttended = true;
    this.#seat(viewer);
  }

  /** @param viewer null = somebody who only looks and has no name @returns leaves */
  join(viewer: string | null): () => void {
    const name = viewer ?? `anonymous ${Math.random()}`;
    this.#viewers.set(name, (this.#viewers.get(name) ?? 0) + 1);
    this.#changed();
    return () => {
      const left = (this.#viewers.get(name) ?? 1) - 1;
      if (left === 0) this.#viewers.delete(name);
      else this.#viewers.set(name, left);
      this.#changed();
    };
  }

  /** Waits for nobody any more. */
  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #seat(viewer: string | null): void {
    this.#driver = viewer;
    this.#changed();
  }

  #changed(): void {
    this.#options.onChange();
    const isAway = this.#driver === null ? this.#viewers.size === 0 : !this.#viewers.has(this.#driver);
    if (!this.#isAttended || !isAway || !this.#options.isOn()) this.close();
    else this.#timer ??= setTimeout(() => this.#giveUp(), this.#options.leaveMs);
  }

  #giveUp(): void {
    this.#timer = null;
    if (this.#viewers.size === 0) this.#options.onDeserted();
    else this.#seat(null);
  }
}
