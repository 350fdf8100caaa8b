/**
 * Long work that lets others have a turn: it yields wherever it can be laid down for a moment, and returns its result.
 * What it computes does not depend on how long it lies.
 */
export type SlicedWork<Result> = Generator<void, Result, void>;

/** Steps of such work, each well below a microsecond, after which it yields: a slice holds the event loop for a millisecond at most. */
export const SLICE_STEPS = 2_048;

/** Does the work to its end. `pause` gives the event loop back between two slices. */
export async function inSlices<Result>(
  work: SlicedWork<Result>,
  pause: () => Promise<void>,
): Promise<Result> {
  for (;;) {
    const slice = work.next();
    if (slice.done) return slice.value;
    await pause();
  }
}

/** Does the work to its end without giving anything back. */
export function atOnce<Result>(work: SlicedWork<Result>): Result {
  for (;;) {
    const slice = work.next();
    if (slice.done) return slice.value;
  }
}
