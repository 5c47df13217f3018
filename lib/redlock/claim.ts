import type { Token } from "./units";

/** What all requests of one token have in common: once it is given up, no further step may be taken for any of them. */
export class Claim {
  #isGivenUp = false;

  get isGivenUp(): boolean {
    return this.#isGivenUp;
  }

  giveUp(): void {
    this.#isGivenUp = true;
  }
}

/**
 * Claims with requests in flight, so that a release finds the extension that runs at the same moment, even when both came
 * with nothing but the token: its heal, sent behind the release, would leave a key nobody owns.
 */
export class Claims {
  readonly #byToken = new Map<Token, { readonly claim: Claim; users: number }>();

  /** The claim of `token`. Every `take` is followed by one `drop`. */
  take(token: Token): Claim {
    const entry = this.#byToken.get(token) ?? { claim: new Claim(), users: 0 };
    entry.users += 1;
    this.#byToken.set(token, entry);
    return entry.claim;
  }

  drop(token: Token): void {
    const entry = this.#byToken.get(token);
    if (entry === undefined) return;
    entry.users -= 1;
    if (entry.users === 0) this.#byToken.delete(token);
  }
}
