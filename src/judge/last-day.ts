import { DAY } from '../model/time.ts';
import type { Spell, Unseen } from '../model/times.ts';

/*
 * What did a phone do in its last day? It reported, but for its spells; and where the account was not seen, nobody knows.
 * This is for people: the month is added up elsewhere (times.ts).
 */

/** Maximum number of spells of a phone, and of times in which an account was not seen; the newest are kept. */
const MAX_SPELLS = 48;

/** Spells of a device that was not listed before: what it did is unknown. */
export function firstSpells(at: number): readonly Spell[] {
  return [{ state: 'unknown', from: at - DAY, to: at }];
}

/**
 * Returns the spells of a device after a list.
 *
 * @param state undefined where it reports
 * @param at the clock of the API at the list, in milliseconds since 1970
 * @param since when the state began
 */
export function spellsAfter(
  before: readonly Spell[],
  state: Spell['state'] | undefined,
  at: number,
  since = at,
): readonly Spell[] {
  const kept = withinDay(before, at);
  const last = kept.at(-1);
  const running = last?.to === undefined ? last : undefined;
  if (running?.state === state) return kept;
  const closed = running === undefined ? kept : [...kept.slice(0, -1), { ...running, to: since }];
  return state === undefined ? closed : [...closed, { state, from: since, to: undefined }].slice(-MAX_SPELLS);
}

/**
 * Returns the times in which an account was not seen after a list.
 *
 * @param since the list before; undefined where the time since then was seen
 */
export function unseenAfter(
  before: readonly Unseen[],
  since: number | undefined,
  at: number,
): readonly Unseen[] {
  const kept = withinDay(before, at);
  return since === undefined || since >= at ? kept : [...kept, { from: since, to: at }].slice(-MAX_SPELLS);
}

/** Returns what lasted until within a day; the same list where that is all, so that nothing is made anew. */
function withinDay<Each extends { readonly to: number | undefined }>(
  spells: readonly Each[],
  at: number,
): readonly Each[] {
  const isWithin = ({ to = at }: Each): boolean => to > at - DAY;
  return spells.every(isWithin) ? spells : spells.filter(isWithin);
}
