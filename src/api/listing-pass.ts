import { extentOf, type Findings, findingsOf, type Pages, totalsOf } from './listing-pages.ts';

/** What a pass over the whole list said, and how many phones it showed. */
export type Pass = {
  readonly lastPage: number;
  /** `total` as page after page said it, without repetitions. */
  readonly totals: readonly number[];
  /** Items that were no device with a usable id. */
  readonly rejected: number;
  /** Different phones in this pass. */
  readonly distinct: number;
  /** Different phones in this pass and those before it. */
  readonly known: number;
  /** Phones that this pass showed twice. */
  readonly repeated: number;
  /** What was wrong in it, where something was. */
  readonly findings: Findings;
};

/** The phones of a pass: how many there were, how many are known now, and how many came twice. */
export type Count = Pick<Pass, 'distinct' | 'known'> & {
  readonly duplicates: number;
  readonly conflicts: number;
};

/** What the pages of a pass and the count of their phones amount to; `before` is the pass before it, if any. */
export function passOf(pages: Pages, before: Pass | undefined, count: Count): Pass {
  const { distinct, known, duplicates, conflicts } = count;
  const totals = totalsOf(pages);
  const found: Findings = new Map([
    ...findingsOf(pages),
    ['duplicate', duplicates],
    ['conflict', conflicts],
    ['total_changed', changesOf(before, totals)],
  ]);
  const { last, rejected } = extentOf(pages);
  return {
    lastPage: last,
    totals,
    rejected,
    distinct,
    known,
    repeated: duplicates + conflicts,
    findings: new Map([...found].filter(([, times]) => times > 0)),
  };
}

/**
 * Whether nothing is missing: the last pass alone, or all of them together, showed exactly as many different phones as
 * the list claims to have. A shift between two pages that hides a phone shows another one twice, and so makes that
 * number too small. Where `total` fell meanwhile, a phone that left could stand in for one that was hidden.
 */
export function isComplete(passes: readonly Pass[]): boolean {
  const last = passes.at(-1);
  return last !== undefined && (isWhole([last], last.distinct) || isWhole(passes, last.known));
}

function isWhole(passes: readonly Pass[], phones: number): boolean {
  const totals = passes.flatMap((pass) => pass.totals);
  const fell = totals.some((total, index) => total < (totals[index - 1] ?? 0));
  // Nobody can tell whether an item without an id came twice; the pass that had the fewest of them counted none twice.
  const rejected = Math.min(...passes.map((pass) => pass.rejected));
  return !fell && phones + rejected === totals.at(-1);
}

/** Whether the last pass said what was known before it, and nothing moved: another one would say the same again. */
export function isFutile(passes: readonly Pass[]): boolean {
  const [before, last] = passes.slice(-2);
  if (before === undefined || last === undefined) return false;
  const isStill = last.repeated === 0 && changesOf(before, last.totals) === 0;
  return isStill && last.distinct === last.known && last.known === before.known;
}

/** How often `total` became another one in a pass, and since the one before. */
function changesOf(before: Pass | undefined, totals: readonly number[]): number {
  const isOther = before !== undefined && before.totals.at(-1) !== totals[0];
  return totals.length - 1 + (isOther ? 1 : 0);
}
