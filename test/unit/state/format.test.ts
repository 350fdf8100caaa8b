import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeState, encodeState } from '../../../src/state/format.ts';
import { NOON } from '../../builders.ts';
import { EMPTY, MAIN, TEXT } from './states.ts';

/** A text with the checksum that belongs to it, as somebody would write it who knows how. */
function signed(body: string): string {
  return `${body}"checksum":"${crc32(body).toString(16).padStart(8, '0')}"}\n`;
}

const BODY = TEXT.slice(0, TEXT.indexOf('"checksum"'));
const GOOD = signed(BODY);

/** The state with one text in it replaced, and a checksum that fits. */
function forged(from: string, to: string): string {
  expect(BODY.split(from)).toHaveLength(2);
  return signed(BODY.replace(from, to));
}

describe('the state', () => {
  it('is written as lines that a person can read', () => {
    expect([...encodeState([MAIN, EMPTY], NOON)].join('')).toBe(GOOD);
  });

  it('reads as it was written', () => {
    expect(decodeState(GOOD)).toEqual({ accounts: [MAIN, EMPTY] });
  });

  it('of no account is a whole file too', () => {
    expect(decodeState([...encodeState([], NOON)].join(''))).toEqual({ accounts: [] });
  });

  it('of many phones comes in pieces, none of them long', () => {
    const [phone] = MAIN.devices;
    const phones = Array.from(
      { length: 10_000 },
      (_, index) => [`p${index}`, phone?.[1] ?? never()] as const,
    );
    const pieces = [...encodeState([{ ...MAIN, devices: phones }], NOON)];
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(60_000);
    expect(decodeState(pieces.join(''))).toEqual({ accounts: [{ ...MAIN, devices: phones }] });
  });
});

function never(): never {
  throw new Error('there is a phone');
}

/** Damaged files with the reason of their refusal, which never quotes the file. */
const DAMAGED_FILES: readonly (readonly [what: string, text: string, refusal: string])[] = [
  ['an empty file', '', 'it is empty'],
  [
    'zeros, after the power failed',
    '\0'.repeat(GOOD.length),
    'it does not begin like a state file of this program',
  ],
  ['another file', 'accounts:\n  - name: main\n', 'it does not begin like a state file of this program'],
  [
    'JSON of somebody else',
    '{"version":1,"accounts":[]}',
    'it does not begin like a state file of this program',
  ],
  ['a byte order mark', `\uFEFF${GOOD}`, 'it does not begin like a state file of this program'],
  [
    'the version of a later program',
    forged('"version":1', '"version":2'),
    'it is of version 2, and this program reads version 1',
  ],
  [
    'a file cut off in a phone',
    GOOD.slice(0, GOOD.indexOf('phone-2')),
    'it is cut off: there is no checksum at its end',
  ],
  [
    'a file cut off before its last byte but one',
    GOOD.slice(0, -2),
    'it is cut off: there is no checksum at its end',
  ],
  ['two files in one', GOOD + GOOD, 'it was changed: its checksum does not match'],
  ['zeros at the end', `${GOOD}\0\0\0`, 'it is cut off: there is no checksum at its end'],
  [
    'a digit that flipped',
    GOOD.replace('86400.25', '96400.25'),
    'it was changed: its checksum does not match',
  ],
  [
    'a letter that is no UTF-8',
    GOOD.replace('main', 'm\uFFFDin'),
    'it was changed: its checksum does not match',
  ],
  [
    'a checksum of another file',
    GOOD.replace(/[0-9a-f]{8}(?="}\n$)/, '00000000'),
    'it was changed: its checksum does not match',
  ],
  ['a forged bracket', forged('\n],\n', '\n,\n'), 'it is no JSON'],
];

describe('a state file that is damaged', () => {
  it.each(DAMAGED_FILES)('is refused: %s', (_, text, refusal) => {
    expect(decodeState(text)).toEqual({ refusal });
  });

  it.each([
    ['seconds below zero', '"idle":30', '"idle":-30', 'accounts.0.phones.0.seconds.idle'],
    ['seconds without end', '"idle":30', '"idle":1e999', 'accounts.0.phones.0.seconds.idle'],
    ['a status that does not exist', '"status":"sold"', '"status":"lost"', 'accounts.0.phones.0.status'],
    ['an id that is none', '"id":"phone-1"', '"id":"phone 1"', 'accounts.0.phones.0.id'],
    ['a time that is a text', `"since":${NOON}`, '"since":"noon"', 'accounts.0.phones.0.since'],
    ['a key that is unknown', '"id":"phone-1"', '"__proto__":{},"id":"phone-1"', 'accounts.0.phones.0'],
    ['cents that are no whole number', '12345', '123.45', 'accounts.0.money.available_cents'],
    ['cents beyond all counting', '12345', '9007199254740993', 'accounts.0.money.available_cents'],
    [
      'sums below zero',
      '"increase_cents":500',
      '"increase_cents":-1',
      'accounts.0.money.observed.available.increase_cents',
    ],
    ['no list of phones', '"phones":[\n{', '"phones":null,"others":[\n{', 'accounts.0.phones'],
  ])('is refused with a checksum that fits: %s', (_, from, to, path) => {
    expect(decodeState(forged(from, to))).toEqual({
      refusal: `what stands at ${path} is nothing that this program writes`,
    });
  });
});
