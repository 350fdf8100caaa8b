import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NOTHING_KNOWN } from '../../../src/model/account.ts';
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
  it('is decoded as it was encoded', () => {
    expect(decodeState(TEXT)).toEqual(STATE);
    expect(decodeState(textOf(NOTHING_KNOWN))).toEqual(NOTHING_KNOWN);
  });

  it('keeps the devices that are left over from causes, and takes over a file without them', () => {
    const causes = { ...STATE.causes, leftOver: new Map([['main', ['phone-1']]]) };
    const text = textOf({ ...STATE, causes });
    expect(decodeState(text)).toEqual({ ...STATE, causes });
    const before = text.replace('"leftOver":[["main",["phone-1"]]],', '');
    expect(before).not.toBe(text);
    expect(decodeState(before)).toEqual(STATE);
  });

  it('tells which process wrote it in the first kilobyte', () => {
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

describe('a file of version 3', () => {
  const before = readFileSync(new URL('../../fixtures/state/version-3.json', import.meta.url), 'utf8');

  it('is taken over as it was, and what it does not know is unknown', () => {
    const decoded = decodeState(before);
    if (!('accounts' in decoded)) throw new Error(decoded.refusal);
    const account = decoded.accounts[0]?.account;
    const at = 1_795_552_502_000;
    expect(account).toMatchObject({
      fleet: { apiTime: at, listing: { rejected: 0, faulty: false } },
      failing: { devices: { since: at, reason: 'timeout', lasted: 0 } },
      money: { balance: { availableCents: 137_711 } },
      incidents: { open: [], ended: [] },
    });
    const phones = [...(account?.fleet?.devices.values() ?? [])];
    expect(phones.map(({ silent, times }) => [silent, times.milliseconds, times.interruptions])).toEqual([
      [true, { sold_silent: 0 }, 0],
      [false, expect.any(Object), 0],
    ]);
    expect(account?.judgement?.problems.size).toBe(1);
    expect(decodeState([...encodeState(decoded, WRITER, at)].join(''))).toEqual(decoded);
  });
});

/** A file of version 2, and of version 1, which had counters, the source of the key, and a checksum. */
const RHYTHM = `{"typical":60,"late":0.01,"elapsed":90000.5,"today":[61.2,60.9],"yesterday":[63,62.5]}`;
const LEFT = `{"id":"phone-0","label":"rack-01/slot-01","group":"rack-01","listed":${NOON - 90_000},"removed":${NOON - 30_000},"silent":true}`;
const VERSION_2 = `{"format":"hoster-exporter state","version":2,"saved_at":"2026-03-01T12:00:00.000Z","accounts":[
{"name":"main","api_url":"https://api.example.com/","balance":{"available_cents":12345,"pending_cents":-5},"left":[${LEFT}],"phones":[
{"id":"phone-1","status":"sold","since":${NOON - 5_000},"problem":{"problem":"sold_silent","since":${NOON - 900_000}},"rhythm":${RHYTHM}},
{"id":"phone-2"}
]},
{"name":"empty","api_url":"http://127.0.0.1:9824/","phones":[
]}
]}
`;
const VERSION_1 = `{"format":"hoster-exporter state","version":1,"saved_at":"2026-03-01T12:00:00.000Z","accounts":[
{"name":"main","api_url":"https://api.example.com/","key":{"file":"/run/secrets/hoster"},"money":{"available_cents":12345,"pending_cents":-5},"phones":[
{"id":"phone-1","status":"sold","since":${NOON - 5_000},"seconds":{"sold":86400.25,"idle":30}},
{"id":"phone-2","seconds":{}}
]}
],
"checksum":"01234567"}
`;

describe('the state of an older program', () => {
  it('of version 3 is taken over, and its month is unknown', () => {
    const text = JSON.stringify(JSON.parse(TEXT), (key, value: unknown) => {
      if (key === 'version') return 3;
      return key === 'times' || key === 'departed' ? undefined : value;
    });
    expect(text).not.toContain('firstListedAt');
    const decoded = decodeState(text);
    const fleet = 'accounts' in decoded ? decoded.accounts[0]?.account.fleet : undefined;
    expect(fleet?.departed.size).toBe(0);
    expect(fleet?.devices.get('phone-1')?.times).toEqual({
      firstListedAt: NOON,
      column: 'sold_silent',
      milliseconds: { sold_silent: 0 },
      interruptions: 0,
    });
  });

  it.each([
    ['2', VERSION_2],
    ['1', VERSION_1],
  ])('of version %s is taken over: since when each device has its status', (_, text) => {
    const decoded = decodeState(text);
    const fleet = 'accounts' in decoded ? decoded.accounts[0]?.account.fleet : undefined;
    expect(fleet?.devices.get('phone-1')).toMatchObject({
      device: { rentalStatus: 'sold' },
      rentalStatusSince: NOON - 5_000,
    });
    expect([...(fleet?.devices.keys() ?? [])]).toEqual(['phone-1', 'phone-2']);
  });

  it('of version 2 is taken over: problems, rhythms, devices that left, and the balance', () => {
    const decoded = decodeState(VERSION_2);
    const account = 'accounts' in decoded ? decoded.accounts[0]?.account : undefined;
    expect(account?.fleet?.devices.get('phone-1')).toMatchObject({
      silent: true,
      rhythm: { usual: 60, elapsed: 90_001, longest: [62, 63] },
    });
    expect(account).toMatchObject({ money: { lastAmounts: { availableCents: 12_345, pendingCents: -5 } } });
    expect(account?.judgement?.problems.get('phone-1')).toEqual({
      problem: 'sold_silent',
      since: NOON - 900_000,
    });
    expect(account?.fleet?.left.get('phone-0')).toMatchObject({ removedAt: NOON - 30_000, wasSilent: true });
  });
});

/** Damaged files with the reason of their refusal, which never quotes the file. */
const DAMAGED = 'got invalid JSON (damaged or cut off), expected a state file';
const DAMAGED_FILES: readonly (readonly [what: string, text: string, refusal: string])[] = [
  ['an empty file', '', 'got an empty file, expected a state file'],
  ['zeros, after the power failed', '\0'.repeat(TEXT.length), DAMAGED],
  ['another file', 'accounts:\n  - name: main\n', DAMAGED],
  [
    'JSON of another program',
    '{"version":1,"accounts":[]}',
    'got JSON without the header of a state file, expected a state file',
  ],
  ['a byte order mark', `\uFEFF${TEXT}`, DAMAGED],
  [
    'the version of a later program',
    changed('"version":4', '"version":5'),
    'got version 5 of a newer program, expected at most version 4',
  ],
  ['a file cut off in a device', TEXT.slice(0, TEXT.indexOf('phone-2')), DAMAGED],
  ['a file cut off before its end', TEXT.slice(0, -2), DAMAGED],
  ['two files in one', TEXT + TEXT, DAMAGED],
  ['zeros at the end', `${TEXT}\0\0\0`, DAMAGED],
];

describe('a damaged state file', () => {
  it.each(DAMAGED_FILES)('is refused: %s', (_, text, refusal) => {
    expect(decodeState(text)).toEqual({ refusal });
  });

  it.each([
    [
      'an unknown status',
      '"rentalStatus":"sold"',
      '"rentalStatus":"lost"',
      'devices.0.1.device.rentalStatus',
    ],
    ['an illegal id', '["phone-1",', '["phone 1",', 'devices.0.0'],
    ['an instant as text', `"listedAt":${NOON}`, '"listedAt":"noon"', 'devices.2.1.listedAt'],
    ['broken cents', '12345', '123.45', 'money.balance.availableCents'],
    ['cents beyond 2^53', '12345', '9007199254740993', 'money.balance.availableCents'],
    ['no list of devices', '"devices":[', '"others":[', 'devices'],
  ])('is refused with the place of the fault: %s', (_, from, to, path) => {
    expect(decodeState(changed(from, to))).toEqual({
      refusal: `got an invalid value at accounts.0.${path}, expected a value that this program writes`,
    });
  });

  it('is refused in an older version too', () => {
    expect(decodeState(VERSION_2.replace('"status":"sold"', '"status":"lost"'))).toHaveProperty('refusal');
  });
});
