import { describe, expect, it } from 'vitest';
import { createTimeZone } from '../../../src/base/time-zone.ts';
import type { FleetAccount, FleetDocument } from '../../../src/fleet/document.ts';
import {
  ageBasisOf,
  type ConnectionState,
  connectionAt,
  durationText,
  freshnessOf,
  heartbeatAge,
  lateAccounts,
  REQUEST_FAILURES,
  rentalDuration,
  timeTextAt,
  withStale,
} from '../../../src/fleet/freshness.ts';
import { fleet } from './fleet.ts';
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
  it.each([
    ['adds the time since the poll while data is fresh', reading(), 20_000, undefined, 30],
    ['is that of the poll while data is held', reading({ state: 'stale' }), 600_000, undefined, 10],
    ['is that of the poll while the exporter is unreachable', reading(), 600_000, NOON + 5_000, 10],
    ['never shrinks when the clocks differ', reading(), -20_000, undefined, 10],
  ])('%s', (_, basis, later, failingSince, seconds) => {
    expect(heartbeatAge(10, ageBasisOf(basis, NOON + later, failingSince))).toBe(seconds);
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

const documentOf = (...accounts: readonly FleetAccount[]) => fleet({ accounts, phones: [] });

function shown(document: FleetDocument | undefined, connection = CONNECTED) {
  const time = timeTextAt(LATER, createTimeZone('UTC'));
  const { notices, ...rest } = freshnessOf(document, connection, LATER, time);
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
        'warn No news from the marketplace since 12:00: this is not your phones. The API is slow. Wait. Retrying every 30 s. You see the data from 5 min ago.',
      ],
    });
  });

  it('says how often each collector is polled', () => {
    const balance = reading({ state: 'stale', failureText: 'The API is slow. Wait.' });
    const fresh = readings(reading({ state: 'fresh' }));
    const { notices } = shown(documentOf(account({ readings: { ...fresh, balance } })));
    expect(notices).toEqual([expect.stringContaining('Retrying every 1 min.')]);
  });

  it('says that data is held because no poll has ended', () => {
    const offline = readings(reading({ state: 'stale' }));
    expect(shown(documentOf(account({ readings: offline }))).notices[0]).toContain(
      'warn No news from the marketplace since 12:00. No poll has finished since then. You see the data from 5 min ago.',
    );
  });

  it('says when and why data has expired', () => {
    const { tone, word, notices } = shown(documentOf(account({ readings: expired })));
    expect([tone, word]).toEqual(['bad', 'Out of date']);
    expect(notices).toEqual([
      expect.stringMatching(/^bad No news .* since 12:00: .* No such host\. Check it\./),
    ]);
  });

  it('says that nothing is known yet when no poll has succeeded', () => {
    const never = readings({
      ...UNREAD,
      lastAttemptAt: '2026-03-01T12:00:00.000Z',
      failureText: 'No such host. Check it.',
    });
    expect(shown(documentOf(account({ readings: never })))).toMatchObject({
      word: 'No data yet',
      notices: ['bad No news from the marketplace yet. No such host. Check it. Retrying every 30 s.'],
    });
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
      expect.stringMatching(
        /^warn No news from the marketplace since 12:00 \(b, c, d, and 1 more\): this is not your phones\. /,
      ),
      expect.stringMatching(/^bad API key refused \(f\)\. .*Put a new key into \/etc\/hoster\/f\./),
    ]);
  });

  it('names a refused key once, although no data is fresh because of it', () => {
    const { notices } = shown(
      documentOf(account({ access: 'invalid_key', keyFile: '/run/key', readings: expired })),
    );
    expect(notices).toEqual([
      'bad API key refused. The marketplace refuses the key (INVALID_API_KEY): it is wrong, or the account is suspended. Put a new key into /run/key. The next poll uses it, without a restart. Until then, the exporter retries the current key every 5 min. You see the phones as they were at 12:00:00.',
    ]);
  });

  it.each([
    [{ keyVariable: 'KEY_MAIN' }, 'Set a new key in KEY_MAIN and restart the exporter.'],
    [
      { keyFile: '/run/credentials/hoster-exporter.service/key' },
      'Put a new key into /etc/hoster-exporter/key and run: sudo systemctl restart hoster-exporter.',
    ],
    [
      { keyFile: '/run/credentials/farm.service/key' },
      'bad API key refused. The marketplace refuses the key. Put a new key into the file that the systemd service loads (LoadCredential) and restart the service. Until then, the exporter retries the current key every 5 min. You see the phones as they were at 12:00:00.',
    ],
  ])('asks for a restart where the refused key is only read at the start: %j', (own, text) => {
    expect(shown(documentOf(account({ access: 'denied', ...own }))).notices[0]).toContain(text);
  });

  it('says that tunnels are held while devices are fresh', () => {
    const part = {
      ...readings(reading()),
      tunnels: reading({ state: 'stale', failureText: 'It is down. Wait.' }),
    };
    const result = shown(documentOf(account({ readings: part })));
    expect([result.word, result.notices.length]).toEqual(['Up to date', 1]);
    expect(result.notices[0]).toMatch(/^warn No news about the tunnels since /);
  });

  it('says that it waits for an exporter that has not responded for minutes, whatever request is under way', () => {
    const at = (now: number) => connectionAt(CONNECTED, now);
    expect(at(NOON + 149_000)).toBe(CONNECTED);
    expect(shown(documentOf(account()), at(LATER))).toEqual({
      tone: 'warn',
      word: 'Waiting for the exporter',
      learnedAt: NOON,
      notices: [
        'warn No news from the exporter since 12:00. The page is waiting for a response. You see the data from 12:00:00, 5 min ago.',
      ],
    });
    const failed = { ...CONNECTED, failure: REQUEST_FAILURES.noResponse };
    expect(connectionAt(failed, LATER)).toBe(failed);
  });

  it('says what it learns after the first start, until when, and what already alerts', () => {
    const learning = account({ learningEndsAt: '2026-03-01T12:30:00.000Z' });
    const { tone, notices } = shown(documentOf(account(), { ...learning, name: 'other' }));
    expect([tone, notices]).toEqual([
      'good',
      [
        expect.stringMatching(
          /^info Learning how often your phones report, until 12:30\. .*10 minutes .*You already get alerts for offline phones/,
        ),
      ],
    ]);
    const over = account({ learningEndsAt: '2026-03-01T12:05:00.000Z' });
    expect(shown(documentOf(over)).notices).toEqual([]);
  });

  it('calls no data fresh that is older than three polls and a minute by the clock', () => {
    const document = documentOf(account(), account({ name: 'other' }));
    expect(lateAccounts(document, NOON + 150_000)).toEqual([]);
    expect(lateAccounts(document, NOON + 151_000)).toEqual(['main', 'other']);
    expect(withStale(document, [])).toBe(document);
    const { word, notices } = shown(withStale(document, ['other']));
    expect([word, notices.map((text) => text.slice(0, 49))]).toEqual([
      'Not updating (1 of 2 accounts)',
      ['warn No news from the marketplace since 12:00 (ot'],
    ]);
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
