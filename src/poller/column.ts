/** Takes values in, one after the other. */
export type Column<Value> = {
  readonly push: (value: Value) => void;
  /** All values; nothing more may be taken in then. The earlier column itself, if they are the values of that. */
  readonly filled: () => readonly Value[];
};

/**
 * A column that takes no room of its own until it differs from an earlier one: a fleet of which most stays as it is from
 * poll to poll leaves nothing behind that outlives a poll, and would have to be collected.
 *
 * @param expected how many values are likely to come
 */
export function createColumn<Value>(expected: number, earlier: readonly Value[] = []): Column<Value> {
  let own: Value[] | undefined;
  let length = 0;
  return {
    push: (value) => {
      if (own === undefined && (length >= earlier.length || earlier[length] !== value)) {
        own = new Array(Math.max(expected, length));
        for (let index = 0; index < length; index += 1) copy(earlier, own, index);
      }
      if (own !== undefined) own[length] = value;
      length += 1;
    },
    filled: () => {
      if (own === undefined) return length === earlier.length ? earlier : earlier.slice(0, length);
      own.length = length;
      return own;
    },
  };
}

function copy<Value>(from: readonly Value[], to: Value[], index: number): void {
  const value = from[index];
  if (value !== undefined) to[index] = value;
}
