import { describe, expect, it } from 'vitest';
import { decodeState, encodeState } from '../../../src/state/format.ts';
import { NOON } from '../../builders.ts';
import { EMPTY, MAIN, TEXT, VERSION_1_TEXT } from './states.ts';

/** The text with one part of it replaced. */
function changed(from: string, to: string): string {
  expect(TEXT.split(from)).toHaveLength(2);
  return TEXT.replace(from, to);
}

describe('the state', () => {
  it('is encoded as lines that a person can read', () => {
    expect([...encodeState([MAIN, EMPTY], NOON)].join('')).toBe(TEXT);
  });

  it('is decoded as it was encoded', () => {
    expect(decodeState(TEXT)).toEqual({ accounts: [MAIN, EMPTY] });
  });

  it('without accounts is encoded as a complete file', () => {
    expect(decodeState([...encodeState([], NOON)].join(''))).toEqual({ accounts: [] });
  });

  it('of version 1 is decoded without its counters and its balance', () => {
    const devices = Array.from(MAIN.devices, ([id, device]) => [
      id,
      { ...device, problem: undefined, rhythm: undefined },
    ]);
    const main = { ...MAIN, lastAmounts: undefined, left: [], devices };
    expect(decodeState(VERSION_1_TEXT)).toEqual({ accounts: [main, EMPTY] });
  });

  it('of version 2 is decoded where it names no device that left, as older programs wrote it', () => {
    const older = TEXT.replace(/"left":\[.*?\],/, '');
    expect(decodeState(older)).toEqual({ accounts: [{ ...MAIN, left: [] }, EMPTY] });
  });

  it('of many devices is encoded in pieces, none of them long', () => {
    const devices = Array.from(
      { length: 10_000 },
      (_, index) =>
        [
          `p${index}`,
          { rentalStatus: 'sold', rentalStatusSince: NOON, rhythm: undefined, problem: undefined },
        ] as const,
    );
    const pieces = [...encodeState([{ ...MAIN, devices }], NOON)];
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(60_000);
    expect(decodeState(pieces.join(''))).toEqual({ accounts: [{ ...MAIN, devices }] });
  });
});

/** Damaged files with the reason of their refusal, which never quotes the file. */
const DAMAGED_FILES: readonly (readonly [what: string, text: string, refusal: string])[] = [
  ['an empty file', '', 'got an empty file, expected a state file'],
  [
    'zeros, after the power failed',
    '\0'.repeat(TEXT.length),
    'got invalid JSON (damaged or cut off), expected a state file',
  ],
  [
    'another file',
    'accounts:\n  - name: main\n',
    'got invalid JSON (damaged or cut off), expected a state file',
  ],
  [
    'JSON of another program',
    '{"version":1,"accounts":[]}',
    'got JSON without the header of a state file, expected a state file',
  ],
  ['a byte order mark', `\uFEFF${TEXT}`, 'got invalid JSON (damaged or cut off), expected a state file'],
  [
    'the version of a later program',
    changed('"version":2', '"version":3'),
    'got version 3 of a newer program, expected at most version 2',
  ],
  [
    'a file cut off in a device',
    TEXT.slice(0, TEXT.indexOf('phone-2')),
    'got invalid JSON (damaged or cut off), expected a state file',
  ],
  [
    'a file cut off before its end',
    TEXT.slice(0, -2),
    'got invalid JSON (damaged or cut off), expected a state file',
  ],
  ['two files in one', TEXT + TEXT, 'got invalid JSON (damaged or cut off), expected a state file'],
  ['zeros at the end', `${TEXT}\0\0\0`, 'got invalid JSON (damaged or cut off), expected a state file'],
];

describe('a damaged state file', () => {
  it.each(DAMAGED_FILES)('is refused: %s', (_, text, refusal) => {
    expect(decodeState(text)).toEqual({ refusal });
  });

  it.each([
    ['an unknown status', '"status":"sold"', '"status":"lost"', 'accounts.0.phones.0.status'],
    ['an illegal id', '"id":"phone-1"', '"id":"phone 1"', 'accounts.0.phones.0.id'],
    ['an instant as text', `"since":${NOON}`, '"since":"noon"', 'accounts.0.phones.0.since'],
    ['broken cents', '12345', '123.45', 'accounts.0.balance.available_cents'],
    ['cents beyond 2^53', '12345', '9007199254740993', 'accounts.0.balance.available_cents'],
    ['no list of devices', '"phones":[\n{', '"phones":null,"others":[\n{', 'accounts.0.phones'],
  ])('is refused with the place of the fault: %s', (_, from, to, path) => {
    expect(decodeState(changed(from, to))).toEqual({
      refusal: `got an invalid value at ${path}, expected a value that this program writes`,
    });
  });
});
