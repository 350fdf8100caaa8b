import type { ApiEvents } from '../../model/api-events.ts';

/** Who is told of what is odd in an answer, each time that it is read. */
export type OddityEvents = Pick<
  ApiEvents,
  'itemRejected' | 'schemaViolation' | 'unknownEnum' | 'labelSanitized'
>;

/** The same, and how often anything was told. */
export type Oddities = { readonly events: OddityEvents; readonly count: () => number };

/** Passes on what it is told, and counts it. */
export function countOddities(events: OddityEvents): Oddities {
  let count = 0;
  const counted =
    <Told extends readonly unknown[]>(tell: (...told: Told) => void) =>
    (...told: Told): void => {
      count += 1;
      tell(...told);
    };
  return {
    events: {
      itemRejected: counted(events.itemRejected),
      schemaViolation: counted(events.schemaViolation),
      unknownEnum: counted(events.unknownEnum),
      labelSanitized: counted(events.labelSanitized),
    },
    count: () => count,
  };
}

/** For answers whose oddities somebody else tells. */
export function unheard(): Oddities {
  const nothing = (): void => {};
  return countOddities({
    itemRejected: nothing,
    schemaViolation: nothing,
    unknownEnum: nothing,
    labelSanitized: nothing,
  });
}
