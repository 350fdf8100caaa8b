/** Number of devices that are processed before the event loop gets a turn: about a millisecond of work. */
export const DEVICES_PER_YIELD = 2_000;

/** A computation in steps, each of at most a few milliseconds at 10,000 devices. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Looks at devices one by one; a step after each {@link DEVICES_PER_YIELD} of them. */
export function* lookAtEach<Item>(items: Iterable<Item>, look: (item: Item) => void): Steps<void> {
  let looked = 0;
  for (const item of items) {
    looked += 1;
    if (looked % DEVICES_PER_YIELD === 0) yield;
    look(item);
  }
}

/** Computes all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** Computes all steps, with a turn of the event loop between them. */
export async function inSteps<Result>(
  steps: Steps<Result>,
  yieldToEventLoop: () => Promise<void>,
): Promise<Result> {
  let step = steps.next();
  while (step.done !== true) {
    await yieldToEventLoop();
    step = steps.next();
  }
  return step.value;
}

type Entry<Value> = readonly [id: string, value: Value];

/**
 * Returns the entries of both in the order of their ids. Sorts and merges runs, because sorting a hundred thousand at
 * once would block the event loop for a tenth of a second.
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
  let [index, otherIndex] = [0, 0];
  for (;;) {
    const [first, second] = [one[index], other[otherIndex]];
    if (first === undefined && second === undefined) return merged;
    if (second === undefined || (first !== undefined && first[0] < second[0])) {
      if (first !== undefined) merged.push(first);
      index += 1;
    } else {
      merged.push(second);
      otherIndex += 1;
    }
    if (merged.length % DEVICES_PER_YIELD === 0) yield;
  }
}
