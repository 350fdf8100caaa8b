import { describe, expect, it } from 'vitest';
import { createTimeZone } from '../../../src/base/time-zone.ts';
import type { FleetAccount, FleetDocument } from '../../../src/fleet/document.ts';
import {
  ageBasisOf,
  type ConnectionState,
  durationText,
  freshnessOf,
  heartbeatAge,
  REQUEST_FAILURES,
  rentalDuration,
  timeTextAt,
} from '../../../src/fleet/freshness.ts';
import { account, NOON, phone, reading, UNREAD } from './phone.ts';

describe('durationText', () => {
  it.each([
    [-5, '0 s'],
    [0, '0 s'],
    [59.9, '59 s'],
    [60, '1 min'],
    [3_599, '59 min'],
    [3_600, '1 h'],
    [7_800, '2 h 10 min'],
    [86_399, '23 h 59 min'],
    [86_400, '1 d'],
    [100_000, '1 d 3 h'],
    [86_400 * 400, '400 d'],
  ])('writes %d seconds as %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text);
  });
});

describe('the duration of a rental status', () => {
  it.each([
    [{ rentalStatusBeginSeen: true }, '1 h'],
    [{ rentalStatusBeginSeen: false }, 'more than 1 h'],
    [{ rentalStatusSince: undefined }, ''],
  ])('is marked as a minimum unless its start was seen: %j', (own, text) => {
    expect(rentalDuration(phone(own), NOON)).toBe(text);
  });
});

it.each([
  ['today', NOON - 3_000, '12:59:57'],
  ['at midnight', Date.UTC(2026, 1, 28, 23), '00:00:00'],
  ['yesterday', Date.UTC(2026, 1, 28, 22, 59), '28 Feb 23:59'],
  ['last year', '2025-12-24T18:00:00.000Z', '24 Dec 2025'],
  ['that is unknown', undefined, 'an unknown time'],
])('the text of an instant %s is short', (_, instant, text) => {
  expect(timeTextAt(NOON, createTimeZone('Europe/Berlin'))(instant)).toBe(text);
});

describe('the age of a heartbeat', () => {
  const age = (...basis: Parameters<typeof ageBasisOf>) => heartbeatAge(10, ageBasisOf(...basis));

  it('adds the time since the poll to an age while data is fresh', () => {
    expect(age(reading(), NOON + 20_000, undefined)).toBe(30);
  });

  it('keeps an age at its value of the poll while data is held', () => {
    expect(age(reading({ state: 'stale' }), NOON + 600_000, undefined)).toBe(10);
  });

  it('keeps an age at its value of the poll while the exporter is unreachable', () => {
    const basis = ageBasisOf(reading(), NOON + 600_000, NOON + 5_000);
    expect([heartbeatAge(10, basis), basis.state, basis.asOf]).toEqual([10, 'stale', NOON]);
  });

  it('never shrinks an age when the clocks differ', () => {
    expect(age(reading(), NOON - 20_000, undefined)).toBe(10);
  });

  it('uses the present for ages before the first successful poll', () => {
    expect(ageBasisOf(UNREAD, NOON, undefined)).toEqual({
      state: 'expired',
      learnedAt: undefined,
      asOf: NOON,
    });
  });
});

const CONNECTED: ConnectionState = { lastResponseAt: NOON, failure: undefined, failingSince: undefined };
const LATER = NOON + 5 * 60_000;

function documentOf(...accounts: readonly FleetAccount[]): FleetDocument {
  return {
    version: 1,
    exporter: {
      version: '1.2.3',
      pollSeconds: { devices: 30, tunnels: 30, balance: 3_600 },
      allowsMaintenance: false,
      timeZone: 'Europe/Kyiv',
      grafanaUrl: undefined,
    },
    accounts,
    phones: [],
    causes: [],
    observed: [],
    maintenance: [],
    incidents: [],
    left: [],
    events: [],
  };
}

function shown(fleet: FleetDocument | undefined, connection = CONNECTED) {
  const { notices, ...rest } = freshnessOf(
    fleet,
    connection,
    LATER,
    timeTextAt(LATER, createTimeZone('UTC')),
  );
  return { ...rest, notices: notices.map(({ tone, title, text }) => `${tone} ${title}. ${text}`) };
}

const readings = (devices: FleetAccount['readings']['devices']) => ({
  devices,
  tunnels: devices,
  balance: devices,
});
const held = readings(reading({ state: 'stale', failureText: 'The API is slow. Wait.' }));
const expired = readings(reading({ state: 'expired', failureText: 'No such host. Check it.' }));

describe('freshnessOf', () => {
  it('says that the page is loading before the first response', () => {
    expect(shown(undefined, { ...CONNECTED, lastResponseAt: undefined })).toMatchObject({
      tone: 'wait',
      word: 'Loading',
    });
  });

  it('says that the first poll is under way', () => {
    expect(shown(documentOf(account({ readings: readings(UNREAD) })))).toEqual({
      tone: 'wait',
      word: 'Waiting for the first poll',
      learnedAt: undefined,
      notices: [],
    });
  });

  it('says that data is fresh as of the oldest account', () => {
    const older = readings(reading({ lastSuccessAt: '2026-03-01T11:59:00.000Z' }));
    expect(shown(documentOf(account(), account({ name: 'other', readings: older })))).toEqual({
      tone: 'good',
      word: 'Up to date',
      learnedAt: NOON - 60_000,
      notices: [],
    });
  });

  it('says since when and why data is held', () => {
    expect(shown(documentOf(account({ readings: held })))).toEqual({
      tone: 'warn',
      word: 'Not updating',
      learnedAt: NOON,
      notices: [
        'warn Phones: not updating since 12:00:00. The API is slow. Wait. Retrying every 30 s. You see the data from 5 min ago.',
      ],
    });
  });

  it('says how often each collector is polled', () => {
    const balance = reading({ state: 'stale', failureText: 'The API is slow. Wait.' });
    const fresh = readings(reading({ state: 'fresh' }));
    const { notices } = shown(documentOf(account({ readings: { ...fresh, balance } })));
    expect(notices).toEqual([expect.stringContaining('Retrying every 1 h.')]);
  });

  it('says that data is held because no poll has ended', () => {
    const offline = readings(reading({ state: 'stale' }));
    expect(shown(documentOf(account({ readings: offline }))).notices[0]).toContain(
      'warn Phones: not updating since 12:00:00. No poll has finished since then. You see the data from 5 min ago.',
    );
  });

  it('says when and why data has expired', () => {
    expect(shown(documentOf(account({ readings: expired })))).toMatchObject({
      tone: 'bad',
      word: 'Out of date',
      notices: [
        'bad Phones: no data since 12:00:00. No such host. Check it. Retrying every 30 s. You see the data from 5 min ago.',
      ],
    });
  });

  it('says that nothing is known yet when no poll has succeeded', () => {
    const never = readings({
      ...UNREAD,
      lastAttemptAt: '2026-03-01T12:00:00.000Z',
      failureText: 'No such host. Check it.',
    });
    expect(shown(documentOf(account({ readings: never }))).notices).toEqual([
      'bad Phones: no data yet. No such host. Check it. Retrying every 30 s.',
    ]);
  });

  it('names the accounts with held data or a refused key', () => {
    const result = shown(
      documentOf(
        account(),
        ...['b', 'c', 'd', 'e'].map((name) => account({ name, readings: held })),
        account({ name: 'f', access: 'invalid_key', keyFile: '/etc/hoster/f' }),
      ),
    );
    expect(result.word).toBe('Not updating (4 of 6 accounts)');
    expect(result.notices).toEqual([
      expect.stringMatching(/^warn Phones: not updating since 12:00:00 \(b, c, d, and 1 more\)\. /),
      expect.stringMatching(/^bad API key refused \(f\)\. .*Put a new key into \/etc\/hoster\/f\./),
    ]);
  });

  it('names a refused key once, although no data is fresh because of it', () => {
    const { notices } = shown(
      documentOf(account({ access: 'invalid_key', keyFile: '/run/key', readings: expired })),
    );
    expect(notices).toEqual([
      'bad API key refused. The marketplace refuses the key (INVALID_API_KEY): it is wrong, or the account is suspended. Put a new key into /run/key. The next poll uses it, without a restart. The exporter retries the current key every 5 min. You see the phones as they were at 12:00:00.',
    ]);
  });

  it('asks for a restart where the refused key is in an environment variable', () => {
    const { notices } = shown(documentOf(account({ access: 'denied' })));
    expect(notices[0]).toContain('Set a new key in the environment of the exporter and restart it.');
  });

  it('asks for a restart where systemd copied the refused key at the start', () => {
    const keyFile = '/run/credentials/hoster-exporter.service/key';
    const { notices } = shown(documentOf(account({ access: 'denied', keyFile })));
    expect(notices[0]).toContain(
      'bad API key refused. The marketplace refuses the key. Put a new key into the file that the systemd service loads (LoadCredential) and restart the service. The exporter retries the current key every 5 min. You see the phones as they were at 12:00:00.',
    );
  });

  it('says that tunnels are held while devices are fresh', () => {
    const part = {
      ...readings(reading()),
      tunnels: reading({ state: 'stale', failureText: 'It is down. Wait.' }),
    };
    const result = shown(documentOf(account({ readings: part })));
    expect([result.word, result.notices.length]).toEqual(['Up to date', 1]);
    expect(result.notices[0]).toMatch(/^warn Tunnels: not updating since /);
  });

  it('says that the exporter is unreachable and since when', () => {
    const lost = { lastResponseAt: NOON, failure: REQUEST_FAILURES.noResponse, failingSince: NOON + 30_000 };
    expect(shown(documentOf(account()), lost)).toEqual({
      tone: 'bad',
      word: 'Exporter unreachable',
      learnedAt: NOON,
      notices: [
        'bad The exporter cannot be reached. It has not responded since 12:00:30. You see the data from 12:00:00, 5 min ago. The page keeps trying.',
      ],
    });
  });
});
