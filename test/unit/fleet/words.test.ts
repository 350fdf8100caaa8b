import { describe, expect, it } from 'vitest';
import { moneyText, offlineAfterText, shareText, statusText } from '../../../src/fleet/words.ts';

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

it.each([
  [moneyText(125_000, 'EUR'), '€1,250.00'],
  [moneyText(-5, undefined), '-0.05'],
  [moneyText(300_000_000, 'VND'), '₫3,000,000'],
  [moneyText(1_250_000, 'JPY'), '¥12,500'],
  [moneyText(1_234, 'USDT'), '12.34 USDT'],
  [shareText(1, 3), '33.3%'],
  [shareText(0, 0), '–'],
  [statusText('awaiting_agent'), 'awaiting agent'],
  [statusText('constructor'), 'constructor'],
  [statusText(undefined), '–'],
])('the fleet page formats a value as %s', (written, text) => {
  expect(written).toBe(text);
});
