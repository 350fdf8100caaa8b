import { describe, expect, it } from 'vitest';
import { silenceText } from '../../../src/fleet-page/words.ts';

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
