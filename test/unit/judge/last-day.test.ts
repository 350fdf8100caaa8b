import { describe, expect, it } from 'vitest';
import { firstSpells, spellsAfter, unseenAfter } from '../../../src/judge/last-day.ts';
import type { Spell } from '../../../src/model/times.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Spells after lists each hour, in which a phone was in these states: offline, planned or reporting. */
const live = (states: string, from = DAY): readonly Spell[] => {
  let spells = firstSpells(from);
  for (const [hour, letter] of [...states].entries()) {
    const state = letter === 's' ? 'offline' : letter === 'p' ? 'maintenance' : undefined;
    spells = spellsAfter(spells, state, from + (hour + 1) * HOUR);
  }
  return spells;
};
const hours = (spells: readonly Spell[]) =>
  spells.map(({ state, from, to }) => [
    state,
    (from - DAY) / HOUR,
    to === undefined ? undefined : (to - DAY) / HOUR,
  ]);

describe('the spells of a phone', () => {
  it('begin with the time before it was listed, and say when it was offline', () => {
    expect(hours(live('..ss.'))).toEqual([
      ['unknown', -24, 0],
      ['offline', 3, 5],
    ]);
  });

  it('go from offline to planned without a gap, and last while it does', () => {
    expect(hours(live('.ssp')).slice(1)).toEqual([
      ['offline', 2, 4],
      ['maintenance', 4, undefined],
    ]);
  });

  it('end a day after they ended, and stay the same object while nothing changes', () => {
    const spells = live(`s${'.'.repeat(30)}`);
    expect(spells).toEqual([]);
    const offline = live('.s');
    expect(spellsAfter(offline, 'offline', DAY + 3 * HOUR)).toBe(offline);
  });

  it('are the newest 48 of a phone that comes and goes', () => {
    let spells: readonly Spell[] = [];
    for (let minute = 0; minute < 600; minute += 1)
      spells = spellsAfter(spells, minute % 2 === 0 ? 'offline' : undefined, DAY + minute * 60_000);
    expect(spells).toHaveLength(48);
    expect(spells.at(-1)?.from).toBe(DAY + 598 * 60_000);
  });
});

describe('the times in which an account was not seen', () => {
  it('are those between two lists of which nothing is known, within a day', () => {
    const once = unseenAfter([], DAY, DAY + HOUR);
    expect(once).toEqual([{ from: DAY, to: DAY + HOUR }]);
    expect(unseenAfter(once, undefined, DAY + 2 * HOUR)).toBe(once);
    expect(unseenAfter(once, undefined, 3 * DAY)).toEqual([]);
  });
});
