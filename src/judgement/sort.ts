import { DEVICES_PER_YIELD, type Steps } from './steps.ts';

type Entry<Value> = readonly [id: string, value: Value];

/**
 * Returns the entries of both in the order of their ids. Sorts in runs and merges these, because sorting a hundred thousand
 * at once would hold the event loop for a tenth of a second.
 *
 * @param sorted entries in the order of their ids
 */
export function* sortById<Value>(
  sorted: Iterable<Entry<Value>>,
  others: readonly Entry<Value>[],
): Steps<readonly Entry<Value>[]> {
  let runs: (readonly Entry<Value>[])[] = [[...sorted]];
  for (let start = 0; start < others.length; start += DEVICES_PER_YIELD) {
    yield;
    runs.push(
      others.slice(start, start + DEVICES_PER_YIELD).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    );
  }
  while (runs.length > 1) {
    const merged: (readonly Entry<Value>[])[] = [];
    for (let index = 0; index < runs.length; index += 2)
      merged.push(yield* merge(runs[index] ?? [], runs[index + 1] ?? []));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<Value>(
  one: readonly Entry<Value>[],
  other: readonly Entry<Value>[],
): Steps<readonly Entry<Value>[]> {
  const merged: Entry<Value>[] = [];
  let [left, right] = [0, 0];
  for (;;) {
    const [first, second] = [one[left], other[right]];
    if (first === undefined && second === undefined) return merged;
    if (second === undefined || (first !== undefined && first[0] < second[0])) {
      if (first !== undefined) merged.push(first);
      left += 1;
    } else {
      merged.push(second);
      right += 1;
    }
    if (merged.length % DEVICES_PER_YIELD === 0) yield;
  }
}
