import { describe, expect, it } from 'vitest';
import { createParsers } from '../../../src/api/schemas.ts';
import { recordEvents } from './recorded-events.ts';
import { wireBalance } from './wire-fixtures.ts';

const BALANCE = { availableCents: 12_345, pendingCents: 678, totalCents: 13_023 };

function read(data: unknown) {
  const { on, seen } = recordEvents();
  const parsers = createParsers(on);
  return { balance: parsers.balance(data), seen };
}

describe('a balance', () => {
  it('is parsed field by field', () => {
    expect(read(wireBalance({ currency: 'EUR' }))).toEqual({ balance: BALANCE, seen: [] });
  });

  it.each(['availableCents', 'pendingCents', 'totalCents'])('is valid without the field %s', (field) => {
    expect(read(wireBalance({ [field]: null }))).toEqual({
      balance: { ...BALANCE, [field]: undefined },
      seen: [],
    });
  });

  it.each(['1', 1.5, 2 ** 53, -(2 ** 53), Number.POSITIVE_INFINITY, true, {}, []])(
    'drops an amount of %j and keeps the others',
    (amount) => {
      for (const field of ['availableCents', 'pendingCents', 'totalCents']) {
        const expected = { ...BALANCE, [field]: undefined };
        expect(read(wireBalance({ [field]: amount }))).toEqual({
          balance: expected,
          seen: ['schemaViolation balance'],
        });
      }
    },
  );

  it.each([0, -500, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])(
    'can have the amount %i, even if its amounts do not add up',
    (availableCents) => {
      expect(read(wireBalance({ availableCents })).balance).toEqual({ ...BALANCE, availableCents });
    },
  );

  it.each([{}, [], 'rich', 7, { availableCents: '1', pendingCents: null }])(
    'is rejected without an event if the data is %j',
    (data) => {
      expect(read(data)).toEqual({ balance: undefined, seen: [] });
    },
  );
});
