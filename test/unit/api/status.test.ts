import { describe, expect, it } from 'vitest';
import { createParsers } from '../../../src/api/schemas.ts';
import { recordEvents } from './recorded-events.ts';
import { wireDevice, wirePage } from './wire-fixtures.ts';

function createAccount() {
  const { on, seen } = recordEvents();
  return { seen, ...createParsers(on) };
}

/** The statuses for these texts, parsed in this order for one account. */
function statuses(account: ReturnType<typeof createAccount>, texts: readonly string[]) {
  return texts.map((status) => {
    const item = wireDevice({ rotation: { status } });
    return account.devicePage(wirePage({ items: [item] }))?.devices[0]?.rotationStatus;
  });
}

const words = (count: number) => Array.from({ length: count }, (_, index) => `word_${index}`);

describe('the values of a field that the document leaves open', () => {
  it('are distinguished up to 16, and the rest is other', () => {
    const account = createAccount();
    // With the one that the document shows, fifteen more.
    expect(statuses(account, words(17))).toEqual([...words(15), 'other', 'other']);
    expect(account.seen).toEqual(['unknownEnum rotation.status', 'unknownEnum rotation.status']);
    expect(statuses(account, words(15))).toEqual(words(15));
  });

  it('always include the value that the API document shows, even if 16 others came before', () => {
    const account = createAccount();
    statuses(account, words(1_000));
    expect(statuses(account, ['active', 'word_3', 'word_999'])).toEqual(['active', 'word_3', 'other']);
  });

  it('are counted for each field and each account', () => {
    const account = createAccount();
    statuses(account, words(100));
    const item = wireDevice({ selfRent: { status: 'word_99' } });
    const page = account.devicePage(wirePage({ items: [item] }));
    expect(page?.devices[0]?.selfRentStatus).toBe('word_99');
    expect(statuses(createAccount(), ['word_99'])).toEqual(['word_99']);
  });

  it('count once in all their spellings', () => {
    const account = createAccount();
    const spellings = words(15).flatMap((word) => [word.toUpperCase(), ` ${word} `, word.replace('_', '-')]);
    expect(new Set(statuses(account, spellings))).toEqual(new Set(words(15)));
  });

  it('that are not words do not count against the limit', () => {
    const account = createAccount();
    statuses(
      account,
      Array.from({ length: 100 }, (_, index) => `!${index}`),
    );
    statuses(
      account,
      Array.from({ length: 100 }, () => 'other'),
    );
    expect(statuses(account, words(15))).toEqual(words(15));
  });
});
