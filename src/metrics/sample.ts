/** One sample of a row: its value, then the values of the row's own labels in their declared order. */
export type Sample = readonly [value: number, ...labelValues: readonly string[]];

/**
 * Takes samples in, one after the other. A row tells its samples instead of returning them, since millions are read in a
 * poll of a large fleet, and the lists around them were an eighth of what such a poll left behind.
 */
export type SampleTaker = {
  /** @param labelValues the values of the row's own labels in their declared order; not to be kept */
  readonly take: (value: number, labelValues: readonly string[]) => void;
};

/** What is told of a subject, as a list. */
export function samplesOf<Subject>(
  { read }: { readonly read: (subject: Subject, taker: SampleTaker) => void },
  subject: Subject,
): readonly Sample[] {
  const list: Sample[] = [];
  read(subject, { take: (value, labelValues) => list.push([value, ...labelValues]) });
  return list;
}
