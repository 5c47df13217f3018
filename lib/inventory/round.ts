/** Goes round a map that changes meanwhile, a part at each call: what is to be looked at now and then need not be all at once. */
export class Round<Key, Value> {
  readonly #map: ReadonlyMap<Key, Value>;
  #place: Iterator<[Key, Value]>;

  constructor(map: ReadonlyMap<Key, Value>) {
    this.#map = map;
    this.#place = map.entries();
  }

  /** The next of `parts` parts. A new round begins with the call after the end of one. */
  *next(parts: number): Iterable<[Key, Value]> {
    for (let left = Math.ceil(this.#map.size / parts); left > 0; left -= 1) {
      const { value, done } = this.#place.next();
      if (done === true) {
        this.#place = this.#map.entries();
        return;
      }
      yield value;
    }
  }
}
