import { CONDITIONS, type Condition, type ConditionName, type Conditions } from '../model/condition.ts';
import { MINUTE } from '../model/time.ts';

/** Time by which a condition outlasts its last check, so that one with short gaps stays a single condition. */
const FORGOTTEN_AFTER = 30 * MINUTE;

/**
 * Returns conditions after a poll.
 *
 * @param holds the checked conditions, true if they hold
 * @param at the API's clock, in milliseconds since 1970
 * @param elapsed milliseconds since the last check; undefined if unknown
 */
export function conditionsAfter(
  before: Conditions,
  holds: Readonly<Partial<Record<ConditionName, boolean>>>,
  at: number,
  elapsed = 0,
): Conditions {
  const after: Partial<Record<ConditionName, Condition>> = { ...before };
  for (const name of CONDITIONS) {
    const isThere = holds[name];
    if (isThere === undefined) continue;
    const next = conditionAfter(before[name], isThere, at, elapsed);
    if (next === undefined) delete after[name];
    else after[name] = next;
  }
  return after;
}

function conditionAfter(
  known: Condition | undefined,
  holds: boolean,
  at: number,
  elapsed: number,
): Condition | undefined {
  if (known === undefined) return holds ? { since: at, lasted: 0, gone: 0 } : undefined;
  if (holds) return { ...known, lasted: known.lasted + (known.gone === 0 ? elapsed : 0), gone: 0 };
  const gone = known.gone + elapsed;
  return gone >= FORGOTTEN_AFTER ? undefined : { ...known, gone };
}
