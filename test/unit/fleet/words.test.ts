import { describe, expect, it } from 'vitest';
import {
  causeProof,
  causeTitle,
  moneyText,
  offlineAfterText,
  shareText,
  statusText,
} from '../../../src/fleet/words.ts';

const UNKNOWN = {
  excusedSeconds: 0,
  usualSeconds: undefined,
  lostBeats: undefined,
  longestSeconds: undefined,
  days: undefined,
};

describe('offlineAfterText', () => {
  it('says what a learned limit follows from', () => {
    const learned = { ...UNKNOWN, usualSeconds: 60, lostBeats: 3, longestSeconds: 66, days: 14 };
    expect(offlineAfterText(learned, 254)).toBe(
      'Offline after 5 min without a heartbeat. It usually reports every 60 s and may miss 3 heartbeats in a row. Longest normal gap in 14 days: 66 s.',
    );
  });

  it('says what does not count, and nothing of a rhythm that is not known', () => {
    expect(offlineAfterText({ ...UNKNOWN, excusedSeconds: 120 }, 600)).toBe(
      'Offline after 10 min without a heartbeat. Not counted: 2 min in which the marketplace did not respond.',
    );
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

  it('contains how many phones are offline since when, and why it is this cause', () => {
    expect(`${causeTitle(rack, '14:02:00')} ${causeProof(rack)}`).toBe(
      'Outage in rack-03: all 38 phones went offline within 18 s of each other, 27 of them sold, since 14:02:00. No other phone went offline at that time. Check its power and its internet connection.',
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
      'Outage in app version 2.15: 38 of 40 working phones went offline within 84 min of each other, since 14:02:00. 3 other phones went offline at that time. An update of the app is the likely cause.',
    );
  });
});

it.each([
  [moneyText(125_000, 'EUR'), '€1,250.00'],
  [moneyText(-5, undefined), '-0.05'],
  [shareText(1, 3), '33.3%'],
  [shareText(0, 0), '–'],
  [statusText('awaiting_agent'), 'awaiting agent'],
  [statusText('constructor'), 'constructor'],
  [statusText(undefined), '–'],
])('the fleet page formats a value as %s', (written, text) => {
  expect(written).toBe(text);
});
