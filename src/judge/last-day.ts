import { DAY } from '../model/time.ts';
import type { Spell, Unseen } from '../model/times.ts';

/*
 * A phone's last day: it was online except during its spells, and its state is unknown while the account was not polled.
 * This is for people; times.ts adds up the month.
 */

/** Maximum number of spells of a phone, and of unseen periods of an account. The newest are kept. */
const MAX_SPELLS = 48;

/** Returns the spells of a new device: its day so far is unknown. */
export function firstSpells(at: number): readonly Spell[] {
  return [{ state: 'unknown', from: at - DAY, to: at }];
}

/**
 * Returns the spells of a device after a list.
 *
 * @param state undefined while it is online
 * @param at the API's clock at the list, in milliseconds since 1970
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
 * Returns the unseen periods of an account after a list.
 *
 * @param since the previous list; undefined if the account has been polled since then
 */
export function unseenAfter(
  before: readonly Unseen[],
  since: number | undefined,
  at: number,
): readonly Unseen[] {
  const kept = withinDay(before, at);
  return since === undefined || since >= at ? kept : [...kept, { from: since, to: at }].slice(-MAX_SPELLS);
}

/** Returns the spells that ended within the last day: the same list if all did. */
function withinDay<Each extends { readonly to: number | undefined }>(
  spells: readonly Each[],
  at: number,
): readonly Each[] {
  const isWithin = ({ to = at }: Each): boolean => to > at - DAY;
  return spells.every(isWithin) ? spells : spells.filter(isWithin);
}
