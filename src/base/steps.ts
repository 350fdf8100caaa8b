/** Number of devices that are processed before the event loop gets a turn: about a millisecond of work. */
export const DEVICES_PER_YIELD = 2_000;

/** A computation in steps, each of at most a few milliseconds at 10,000 devices. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Looks at devices one by one, with a step after every {@link DEVICES_PER_YIELD}. */
export function* lookAtEach<Item>(items: Iterable<Item>, look: (item: Item) => void): Steps<void> {
  let looked = 0;
  for (const item of items) {
    looked += 1;
    if (looked % DEVICES_PER_YIELD === 0) yield;
    look(item);
  }
}

export function finish<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** Runs all steps, with a turn of the event loop in between. */
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
