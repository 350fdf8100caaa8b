import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { learnGap, NEW_RHYTHM } from '../../src/judgement/silence.ts';
import { OTHER, RENTAL_STATUSES } from '../../src/model/device.ts';
import { PROBLEMS } from '../../src/model/problem.ts';
import { type AccountState, decodeState, encodeState } from '../../src/state/format.ts';
import { anyCharacter } from '../any-character.ts';

const cents = fc.maxSafeInteger();
const absent = fc.constant(undefined);

const phone = fc.tuple(
  fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
  fc.record({
    rentalStatus: fc.constantFrom(...RENTAL_STATUSES, OTHER, undefined),
    rentalStatusSince: fc.oneof(fc.nat({ max: 8.64e15 }), absent),
    problem: fc.option(
      fc.record({ problem: fc.constantFrom(...PROBLEMS), since: fc.nat({ max: 8.64e15 }) }),
      { nil: undefined },
    ),
    rhythm: fc.option(
      fc
        .array(fc.double({ min: 1, max: 3_000, noNaN: true }))
        .map((gaps) => gaps.reduce(learnGap, NEW_RHYTHM)),
      { nil: undefined },
    ),
  }),
);

const instant = fc.nat({ max: 8.64e15 });
const left = fc.tuple(
  fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
  fc.record({
    label: fc.string(),
    group: fc.string(),
    lastListedAt: instant,
    removedAt: instant,
    wasSilent: fc.boolean(),
  }),
);

const account: fc.Arbitrary<AccountState> = fc.record({
  identity: fc.record({ name: fc.string(), apiUrl: fc.webUrl() }),
  lastAmounts: fc.oneof(
    absent,
    fc.record({ availableCents: fc.oneof(cents, absent), pendingCents: fc.oneof(cents, absent) }),
  ),
  left: fc.array(left, { maxLength: 3 }),
  devices: fc.array(phone, { maxLength: 20 }),
});

const states = fc.array(account, { maxLength: 4 });
const RUNS = 500;

function textOf(accounts: readonly AccountState[]): string {
  return [...encodeState(accounts, 0)].join('');
}

describe('a state file', () => {
  it('is read as it was written, whatever its content', () => {
    fc.assert(
      fc.property(states, (accounts) => {
        expect(decodeState(textOf(accounts))).toEqual({ accounts });
      }),
      { numRuns: RUNS },
    );
  });

  it('is refused when it is cut off anywhere, and does not throw', () => {
    fc.assert(
      fc.property(states, fc.nat(), (accounts, at) => {
        const text = textOf(accounts);
        // The line feed at the end may be missing: editors take it away.
        expect(decodeState(text.slice(0, at % (text.length - 1)))).toHaveProperty('refusal');
      }),
      { numRuns: RUNS },
    );
  });

  it('is refused or decoded when any one bit of it flips, and does not throw', () => {
    fc.assert(
      fc.property(states, fc.nat(), fc.nat({ max: 7 }), (accounts, at, bit) => {
        const bytes = Buffer.from(textOf(accounts));
        const place = at % bytes.length;
        bytes[place] = (bytes[place] ?? 0) ^ (1 << bit);
        const decoded = decodeState(bytes.toString());
        expect('refusal' in decoded || decoded.accounts.length <= accounts.length).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  it('is refused without an exception when it contains any other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 2_000 }), (text) => {
        expect(decodeState(text)).toHaveProperty('refusal');
      }),
      { numRuns: RUNS },
    );
  });
});
