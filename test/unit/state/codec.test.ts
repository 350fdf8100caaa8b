import { describe, expect, it } from 'vitest';
import type { Cause } from '../../../src/model/cause.ts';
import { decodeState, encodeState, writerOf } from '../../../src/state/codec.ts';
import { bareDevice, fleetDevice, fleetOf, NOON } from '../../builders.ts';
import { MAIN, STATE, textOf, WRITER } from './states.ts';

const TEXT = textOf(STATE);

/** The text with one part of it replaced. */
function changed(from: string, to: string): string {
  expect(TEXT.split(from).length).toBeGreaterThan(1);
  return TEXT.replace(from, to);
}

describe('the state', () => {
  it('keeps causes, those that are over included', () => {
    const over: Cause = {
      ...{ kind: 'group', value: 'rack-01', devices: 1, sold: 1, ownDevices: 4, others: 0 },
      ...{ startAt: NOON - 700_500, endAt: NOON - 690_000, most: 4, isShown: true },
      deviceIds: new Map([['main', ['phone-1']]]),
    };
    const causes = { ...STATE.causes, list: [over] };
    expect(decodeState(textOf({ ...STATE, causes }))).toEqual({ ...STATE, causes });
  });

  it('names the process that wrote it in the first kilobyte', () => {
    expect(writerOf(TEXT.slice(0, 1_024))).toEqual(WRITER);
    expect(writerOf('another file')).toBeUndefined();
  });

  it('has a line for each device', () => {
    expect(TEXT.split('\n').filter((line) => /^\["phone-\d",\{"device"/.test(line))).toHaveLength(3);
  });

  it('of many devices is encoded in pieces, none of them long', () => {
    const devices = Array.from({ length: 10_000 }, (_, index) =>
      fleetDevice(bareDevice({ id: `p${String(index).padStart(5, '0')}` })),
    );
    const account = { ...MAIN.account, fleet: fleetOf(...devices), judgement: undefined };
    const pieces = [...encodeState({ ...STATE, accounts: [{ ...MAIN, account }] }, WRITER, NOON)];
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(200_000);
  });
});

/** Damaged files with the reason of their refusal, which never quotes the file. */
const NO_STATE = 'got text without the header of a state file, expected a state file';
const CUT = 'got a file that is cut off, expected a line with its checksum';
const DAMAGED = 'got a damaged file, expected one that matches its checksum';
const DAMAGED_FILES: readonly (readonly [what: string, text: string, refusal: string])[] = [
  ['an empty file', '', 'got an empty file, expected a state file'],
  ['zeros, after the power failed', '\0'.repeat(TEXT.length), NO_STATE],
  ['another file', 'accounts:\n  - name: main\n', NO_STATE],
  ['a byte order mark', `\uFEFF${TEXT}`, NO_STATE],
  [
    'an earlier version',
    changed('"version":2', '"version":1'),
    "got version 1, expected this program's version 2",
  ],
  ['a file cut off in its header', TEXT.slice(0, 30), NO_STATE],
  ['a file cut off before its end', TEXT.slice(0, -2), CUT],
  ['two files in one', TEXT + TEXT, DAMAGED],
  ['another status', changed('"rentalStatus":"sold"', '"rentalStatus":"idle"'), DAMAGED],
  ['a line less', changed('["phone-1",', '["phone-4",'), DAMAGED],
];

describe('a damaged state file', () => {
  it.each(DAMAGED_FILES)('is refused: %s', (_, text, refusal) => {
    expect(decodeState(text)).toEqual({ refusal });
  });
});
