/**
 * Takes values in, one after the other, and takes no room of its own until it differs from an earlier column: a fleet of
 * which most stays as it is from poll to poll leaves nothing behind that outlives a poll, and would have to be collected.
 * A class: see docs/decisions/0019.
 */
export class Column<Value> {
  readonly #expected: number;
  readonly #earlier: readonly Value[];
  #own: Value[] | undefined;
  #length = 0;

  /** @param expected how many values are likely to come */
  constructor(expected: number, earlier: readonly Value[] = []) {
    this.#expected = expected;
    this.#earlier = earlier;
  }

  push(value: Value): void {
    const length = this.#length;
    const earlier = this.#earlier;
    if (this.#own === undefined && (length >= earlier.length || earlier[length] !== value)) {
      this.#own = new Array(Math.max(this.#expected, length));
      for (let index = 0; index < length; index += 1) copy(earlier, this.#own, index);
    }
    if (this.#own !== undefined) this.#own[length] = value;
    this.#length += 1;
  }

  /** All values; nothing more may be taken in then. The earlier column itself, if they are the values of that. */
  filled(): readonly Value[] {
    const earlier = this.#earlier;
    const length = this.#length;
    if (this.#own === undefined) return length === earlier.length ? earlier : earlier.slice(0, length);
    this.#own.length = length;
    return this.#own;
  }
}

function copy<Value>(from: readonly Value[], to: Value[], index: number): void {
  const value = from[index];
  if (value !== undefined) to[index] = value;
}
