import { describe, expect, it } from 'vitest';
import type { MonthDocumentRow } from '../../../src/features/month/document.ts';
import { monthVerdict } from '../../../src/features/month/words.ts';
import {
  causeProof,
  causeTitle,
  moneyText,
  shareText,
  silenceText,
  statusText,
} from '../../../src/fleet/words.ts';

const UNKNOWN = {
  excusedSeconds: 0,
  usualSeconds: undefined,
  lostBeats: undefined,
  longestSeconds: undefined,
  days: undefined,
};

describe('silenceText', () => {
  it('says what a learned limit follows from', () => {
    const learned = { ...UNKNOWN, usualSeconds: 60, lostBeats: 3, longestSeconds: 66, days: 14 };
    expect(silenceText(learned, 254)).toBe(
      'Silent after 5 min without a heartbeat. It reports each 60 s as a rule, 3 heartbeats in a row may be lost, and the longest gap that counts of 14 days was 66 s.',
    );
  });

  it('says what does not count, and nothing of a rhythm that is not known', () => {
    expect(silenceText({ ...UNKNOWN, excusedSeconds: 120 }, 600)).toBe(
      'Silent after 10 min without a heartbeat. 2 min do not count: the marketplace did not respond.',
    );
  });
});

describe('what a month asks an owner to do', () => {
  const row = (name: string, own: Partial<MonthDocumentRow> = {}): MonthDocumentRow => ({
    ...{ account: 'main', id: name, name, phones: 1, interruptions: 0 },
    ...{ sold_reporting: 0, sold_silent: 0, self_rented: 0, idle: 0, other: 0, planned: 0, unknown: 0 },
    ...own,
  });
  const told = (by: 'phone' | 'group', ...rows: readonly MonthDocumentRow[]) =>
    monthVerdict({ month: '2026-10', by, rows }, () => 'EUR');

  it('names the three phones that were sold and silent longest, and what planned work took', () => {
    const rows = [10, 40, 20, 30].map((hours) => row(`p${hours}`, { sold_silent: hours * 3_600 }));
    expect(told('phone', ...rows, row('idle', { planned: 7_200 }))).toBe(
      'To visit, repair or replace first: p40 (40.0 h sold and silent), p30 (30.0 h sold and silent), p20 (20.0 h sold and silent). Planned work took 2.0 h.',
    );
  });

  it('goes by what it cost where the owner named prices', () => {
    const cheap = row('cheap', { sold_silent: 72_000, estimate: { silentCents: 100, idleCents: 0 } });
    const dear = row('dear', { sold_silent: 36_000, estimate: { silentCents: 500, idleCents: 0 } });
    expect(told('phone', cheap, dear)).toBe(
      'To visit, repair or replace first: dear (10.0 h sold and silent, estimate 5.00 EUR), cheap (20.0 h sold and silent, estimate 1.00 EUR).',
    );
  });

  it('says where there is nothing to visit', () => {
    expect(told('phone', row('a'))).toBe('No phone was sold and silent for an hour.');
    expect(told('group', row('a'))).toBe('');
  });
});

describe('the description of a common cause', () => {
  const rack = {
    id: 'group:rack-03',
    kind: 'group',
    value: 'rack-03',
    phones: 38,
    soldPhones: 27,
    ownPhones: 38,
    others: 0,
    since: '2026-03-01T14:02:00.000Z',
    withinSeconds: 17.2,
  } as const;

  it('contains how many phones are silent since when, and why it is this cause', () => {
    expect(`${causeTitle(rack, '14:02:00')} ${causeProof(rack)}`).toBe(
      'All 38 working phones of rack-03 went silent within 18 s of each other, 27 of them sold, since 14:02:00. Nobody else went silent then: power or uplink?',
    );
  });

  it('contains what contradicts the cause', () => {
    const version = {
      ...rack,
      kind: 'app_version',
      value: '2.15',
      ownPhones: 40,
      soldPhones: 0,
      others: 3,
      withinSeconds: 5_000,
    } as const;
    expect(`${causeTitle(version, '14:02:00')} ${causeProof(version)}`).toBe(
      '38 of the 40 working phones of app version 2.15 went silent within 84 min of each other, since 14:02:00. 3 other phones went silent then: an update of the app?',
    );
  });
});

it.each([
  [moneyText(125_000, 'EUR'), '1,250.00 EUR'],
  [moneyText(-5, undefined), '-0.05'],
  [shareText(1, 3), '33.3%'],
  [shareText(0, 0), '–'],
  [statusText('awaiting_agent'), 'awaiting agent'],
  [statusText('constructor'), 'constructor'],
  [statusText(undefined), '–'],
])('the fleet page formats a value as %s', (written, text) => {
  expect(written).toBe(text);
});
