import { describe, expect, it } from 'vitest';
import type { FleetAccount, FleetDocument } from '../../../../src/http/fleet/document.ts';
import { type Contact, freshnessOf } from '../../../../src/http/fleet/page/freshness.ts';
import { createCalendar } from '../../../../src/http/fleet/page/time.ts';
import { account, NOON, reading, UNREAD } from './phone.ts';

const WELL: Contact = { heardAt: NOON, trouble: undefined, troubleSince: undefined };
const LATER = NOON + 5 * 60_000;

function documentOf(...accounts: readonly FleetAccount[]): FleetDocument {
  return {
    version: 1,
    exporter: { version: '1.2.3', pollIntervalSeconds: 30 },
    shard: undefined,
    accounts,
    phones: [],
  };
}

function tell(fleet: FleetDocument | undefined, contact = WELL) {
  const { notices, ...rest } = freshnessOf(fleet, contact, LATER, createCalendar('UTC'));
  return { ...rest, notices: notices.map(({ tone, title, text }) => `${tone} ${title}. ${text}`) };
}

const readings = (devices: FleetAccount['readings']['devices']) => ({
  devices,
  tunnels: devices,
  balance: devices,
});
const held = readings(reading({ state: 'held', failure: 'timeout' }));
const expired = readings(reading({ state: 'expired', failure: 'dns' }));

describe('what is said of the data', () => {
  it('is that it loads', () => {
    expect(tell(undefined, { ...WELL, heardAt: undefined })).toMatchObject({ tone: 'wait', word: 'Loading' });
  });

  it('is that the first poll is under way', () => {
    expect(tell(documentOf(account({ readings: readings(UNREAD) })))).toEqual({
      tone: 'wait',
      word: 'First poll under way',
      seenAt: undefined,
      notices: [],
    });
  });

  it('is that it is fresh, as of the oldest account', () => {
    const older = readings(reading({ lastSuccessAt: '2026-03-01T11:59:00.000Z' }));
    expect(tell(documentOf(account(), account({ name: 'other', readings: older })))).toEqual({
      tone: 'good',
      word: 'Fresh',
      seenAt: NOON - 60_000,
      notices: [],
    });
  });

  it('is that it is held, since when and why', () => {
    expect(tell(documentOf(account({ readings: held })))).toEqual({
      tone: 'warn',
      word: 'Held',
      seenAt: NOON,
      notices: [
        'warn Phones held. This is what was seen at 12:00:00, 5 min ago, and all ages stand still there. The last poll failed: the API did not answer in time.',
      ],
    });
  });

  it('is that it is held although no poll failed', () => {
    const silent = readings(reading({ state: 'held' }));
    expect(tell(documentOf(account({ readings: silent }))).notices[0]).toContain('No poll has ended since.');
  });

  it('is that it has expired', () => {
    expect(tell(documentOf(account({ readings: expired })))).toMatchObject({
      tone: 'bad',
      word: 'Expired',
      notices: [
        'bad Phones expired. The last good look was at 12:00:00, 5 min ago: too old to be shown. The last poll failed: the name of the API could not be resolved.',
      ],
    });
  });

  it('is that nothing was ever known', () => {
    const never = readings({ ...UNREAD, lastAttemptAt: '2026-03-01T12:00:00.000Z', failure: 'tls' });
    expect(tell(documentOf(account({ readings: never }))).notices).toEqual([
      'bad Phones expired. Nothing is known yet. The last poll failed: the certificate of the API was not accepted.',
    ]);
  });

  it('is which accounts it is not true of', () => {
    const told = tell(
      documentOf(
        account(),
        ...['b', 'c', 'd', 'e'].map((name) => account({ name, readings: held })),
        account({ name: 'f', access: 'invalid_key' }),
      ),
    );
    expect(told.word).toBe('Held (4 of 6 accounts)');
    expect(told.notices).toEqual([
      expect.stringMatching(/^warn Phones held: b, c, d and 1 other\. /),
      'bad The key is refused: f. The API refuses the key: it is wrong, or the account is suspended.',
    ]);
  });

  it('is which part of it is old while the phones are fresh', () => {
    const part = { ...readings(reading()), tunnels: reading({ state: 'held', failure: 'server' }) };
    const told = tell(documentOf(account({ readings: part })));
    expect([told.word, told.notices.length]).toEqual(['Fresh', 1]);
    expect(told.notices[0]).toMatch(/^warn Tunnels held\. /);
  });

  it('is that nobody knows, while the exporter can’t be reached', () => {
    const lost = { heardAt: NOON, trouble: 'has not answered', troubleSince: NOON + 30_000 };
    expect(tell(documentOf(account()), lost)).toEqual({
      tone: 'bad',
      word: 'Exporter unreachable',
      seenAt: NOON,
      notices: [
        'bad The exporter can’t be reached. It has not answered since 12:00:30. What you see is what it said at 12:00:00, 5 min ago. The page goes on trying.',
      ],
    });
  });

  it('is that it is a part of the fleet', () => {
    expect(tell({ ...documentOf(account()), shard: { index: 1, total: 4 } }).notices).toEqual([
      'info A part of the fleet. This exporter is shard 1 of 4, counted from 0, and shows its own phones alone.',
    ]);
  });
});
