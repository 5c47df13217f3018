import type { Token } from "./units";

/** What all requests of one token have in common: once it is given up, no further step may be taken for any of them. */
export class Claim {
  /** How many requests of `Claims` share it. */
  users = 0;
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
  readonly #byToken = new Map<Token, Claim>();

  /** The claim of `token`. Every `take` is followed by one `drop`. */
  take(token: Token): Claim {
    let claim = this.#byToken.get(token);
    if (claim === undefined) {
      claim = new Claim();
      this.#byToken.set(token, claim);
    }
    claim.users += 1;
    return claim;
  }

  drop(token: Token): void {
    const claim = this.#byToken.get(token);
    if (claim === undefined) return;
    claim.users -= 1;
    if (claim.users === 0) this.#byToken.delete(token);
  }
}
