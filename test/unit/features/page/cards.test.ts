import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cardsOf,
  cardText,
  cellStateOf,
  cellText,
  groupPhones,
  type WallCard,
} from '../../../../src/features/page/browser/cards.ts';
import type { FleetPhone } from '../../../../src/fleet/document.ts';
import { indexPhones } from '../../../../src/fleet/phones.ts';
import { isUrgent } from '../../../../src/fleet/words.ts';
import { PROBLEMS, type Problem } from '../../../../src/model/problem.ts';
import { phone } from '../../fleet/phone.ts';

/** A phone of a group: `rack-01/2`. */
const at = (label: string, own: Partial<FleetPhone> = {}): FleetPhone =>
  phone({ id: label, label, group: label.split('/').slice(0, -1).join('/'), ...own });

const wallOf = (
  phones: readonly FleetPhone[],
  before: readonly WallCard[] = [],
  isSelected: Parameters<typeof cardsOf>[1] = () => true,
  isNew = true,
) => cardsOf(groupPhones(indexPhones(phones).ordered('phone', false)), isSelected, before, isNew);

const muted = { problem: 'in_maintenance', online: false } as const;
const away = { ...muted, offlineAfterReason: { excusedSeconds: 0 } };

describe('a cell', () => {
  it.each<[string, Partial<FleetPhone>]>([
    ['sold_offline', { problem: 'sold_offline' }],
    ['rented_away', { problem: 'self_rented_offline' }],
    ['rented_away', { problem: 'tunnel_down', rentalStatus: 'self_rented' }],
    ['offline', { problem: 'heartbeat_unreadable' }],
    ['muted', { problem: 'in_maintenance', rentalStatus: 'sold' }],
    ['sold', {}],
    ['sold', { problem: 'rotation_stopped' }],
    ['self_rented', { rentalStatus: 'self_rented' }],
    ['idle', { rentalStatus: 'idle', problem: 'idle_too_long' }],
    ['off', { rentalStatus: 'idle', problem: 'not_listed' }],
    ['off', { rentalStatus: undefined }],
  ])('shows %s of a phone with %j', (state, own) => {
    expect(cellStateOf(phone(own))).toBe(state);
  });
});

it('says what is wrong with a muted phone, sold or not', () => {
  const [card] = wallOf([
    at('r/1', { ...away, rentalStatus: 'sold' }),
    at('r/2', { ...away, rentalStatus: 'idle' }),
    at('r/3', { problem: 'in_maintenance' }),
  ]);
  expect(card?.cells.map(cellText)).toEqual([
    'r/1: In maintenance, sold, offline',
    'r/2: In maintenance, offline',
    'r/3: In maintenance',
  ]);
});

describe('the text of a card', () => {
  it.each<[string, readonly Partial<FleetPhone>[]]>([
    ['2 OK', [{}, { rentalStatus: 'idle' }]],
    ['1 OK, 1 not in use', [{}, { problem: 'not_set_up' }]],
    ['1 OK, 2 in maintenance, 1 of them offline', [{}, muted, away]],
    ['2 in maintenance', [muted, muted]],
    ['1 in maintenance, 1 of them offline', [away, { problem: 'sold_offline' }]],
    ['', [{ problem: 'sold_offline' }, {}]],
  ])('is “%s” of %j', (text, phones) => {
    const [card = expect.fail()] = wallOf(phones.map((own, index) => at(`a/${index}`, own)));
    expect(cardText(card)).toBe(text);
  });

  it('changes when a phone in maintenance goes offline', () => {
    const before = wallOf([at('a/1', muted)]);
    const [card = expect.fail()] = wallOf([at('a/1', away)], before);
    expect(cardText(card)).toBe('1 in maintenance, 1 of them offline');
    expect(wallOf([at('a/1', away)], [card])[0]).toBe(card);
  });

  it('never counts a phone as OK that is offline or in maintenance', () => {
    const problem = fc.option(fc.constantFrom(...PROBLEMS), { nil: undefined });
    fc.assert(
      fc.property(fc.array(problem, { minLength: 1, maxLength: 8 }), (problems) => {
        const [card = expect.fail()] = wallOf(
          problems.map((each, index) => at(`a/${index}`, { problem: each })),
        );
        const well = Number(/^(\d+) OK/.exec(cardText(card))?.[1] ?? 0);
        const isWell = (each: Problem | undefined) => each === undefined || each === 'idle_too_long';
        expect(well).toBe(problems.some(isUrgent) ? 0 : problems.filter(isWell).length);
      }),
    );
  });
});

describe('the wall', () => {
  it('has a card for each group of an account, and one for the phones without a group', () => {
    const cards = wallOf([at('a/1'), at('b/1'), at('b/1', { account: 'other' }), at('attic')]);
    expect(cards.map(({ account, group }) => [account, group])).toEqual([
      ['main', 'a'],
      ['main', 'b'],
      ['other', 'b'],
      ['main', ''],
    ]);
  });

  it('has the costliest card first, then the natural order', () => {
    const offline = { problem: 'offline', rentalStatus: 'idle' } as const;
    const sold = { problem: 'sold_offline' } as const;
    const cards = wallOf([
      at('rack-10/1'),
      at('rack-9/1'),
      at('rack-3/1', offline),
      at('rack-3/2', offline),
      at('rack-4/1', { problem: 'tunnel_missing' }),
      at('rack-5/1', sold),
      at('rack-6/1', { ...sold, priceCentsPerDay: 100 }),
    ]);
    const costliestFirst = ['rack-6', 'rack-5', 'rack-4', 'rack-3', 'rack-9', 'rack-10'];
    expect(cards.map(({ group }) => group)).toEqual(costliestFirst);
  });

  it('has a cell for each phone in the order of its label, and counts those to visit', () => {
    const [card] = wallOf([
      at('r/10'),
      at('r/9', { problem: 'tunnel_down' }),
      at('r/2', { problem: 'given_up' }),
    ]);
    expect(card?.cells.map(cellText)).toEqual(['r/2: Offline for days', 'r/9: Tunnel down', 'r/10: sold']);
    expect(card?.needAttention).toBe(1);
  });

  it('dims what is not selected, and a whole card if nothing in it is', () => {
    const cards = wallOf([at('a/1'), at('a/2'), at('b/1')], [], ({ name }) => name === 'a/2');
    expect(cards.map(({ selected, cells }) => [selected, cells.map((cell) => cell.isDim)])).toEqual([
      [1, [true, false]],
      [0, [false]],
    ]);
  });

  it('marks a cell once, when its state is another one than at the poll before', () => {
    const [before, after] = [
      [at('a/1'), at('b/1')],
      [at('a/1', { problem: 'sold_offline' }), at('b/1')],
    ];
    const first = wallOf(before);
    const second = wallOf(after, first);
    const third = wallOf(after, second, ({ name }) => name === 'b/1', false);
    const fourth = wallOf(after, third);
    const marked = [first, second, third, fourth].map((cards) =>
      cards.flatMap(({ cells }) => cells.map((cell) => cell.isChanged)),
    );
    expect(marked).toEqual([
      [false, false],
      [true, false],
      [true, false],
      [false, false],
    ]);
  });

  it('keeps the object of a card that is as before, though heartbeats came', () => {
    const first = wallOf([at('a/1'), at('b/1')]);
    const second = wallOf(
      [at('a/1', { heartbeatAgeSeconds: 1 }), at('b/1', { rentalStatus: 'idle' })],
      first,
    );
    expect(second.map((card) => first.includes(card))).toEqual([true, false]);
  });
});

describe('the number on a cell', () => {
  it.each([
    ['rack-01/slot-04', '4'],
    ['attic 02-04', '4'],
    ['rack-01/slot-000', '0'],
    ['shelf 7b', '7'],
    ['20261127', ''],
    ['spare', ''],
  ])('of %j is %j', (label, slot) => {
    expect(wallOf([at(label)])[0]?.cells[0]?.slot).toBe(slot);
  });
});
