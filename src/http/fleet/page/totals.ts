import type { FleetAccount } from '../document.ts';
import { element, place, renew } from './element.ts';
import { type Sums, sumBalances, sumTotals } from './sums.ts';
import { type Calendar, parseInstant } from './time.ts';
import { DEFAULT_VIEW, fragmentOf, type Show } from './view.ts';
import { moneyText, numberText, shareText } from './words.ts';

/** The tiles with the totals of these accounts. */
export function showTotals(accounts: readonly FleetAccount[], now: number, calendar: Calendar): void {
  const sums = sumTotals(accounts);
  const known = sums.accounts > 0;
  const { phones, online, sold, selfRented, idle } = sums;
  const missing = accounts.length - sums.accounts;
  const scope = missing > 0 && known ? ` in ${sums.accounts} of ${accounts.length} accounts` : '';
  const count = (value: number): string => (known ? numberText(value) : '–');
  const share = (value: number): string => (known ? shareText(value, phones) : 'not known now');
  renew(
    place('totals'),
    tile('Online', count(online), known ? `of ${numberText(phones)} phones${scope}` : share(0), 'online'),
    tile('Sold', count(sold), share(sold), 'sold'),
    tile('Self-rented', count(selfRented), share(selfRented), 'self_rented'),
    tile('Idle', count(idle), share(idle), 'idle'),
    occupancyTile(sums),
    balanceTile(accounts, now, calendar),
  );
}

function tile(title: string, value: string, note: string, show: Show): HTMLElement {
  return element(
    'a',
    { class: 'tile', href: fragmentOf({ ...DEFAULT_VIEW, show }), 'data-show': show },
    element('span', { class: 'tile-title' }, title),
    element('span', { class: 'tile-value' }, value),
    element('span', { class: 'tile-note' }, note),
  );
}

function occupancyTile({ phones, sold, selfRented, accounts }: Sums): HTMLElement {
  const bar = element('span', { class: 'bar', 'aria-hidden': 'true' });
  for (const [name, part] of [
    ['sold', sold],
    ['self_rented', selfRented],
  ] as const) {
    const piece = element('span', { class: 'bar-part', 'data-show': name });
    piece.style.inlineSize = `${phones === 0 ? 0 : (100 * part) / phones}%`;
    bar.append(piece);
  }
  return element(
    'div',
    { class: 'tile' },
    element('span', { class: 'tile-title' }, 'Occupancy'),
    element('span', { class: 'tile-value' }, accounts === 0 ? '–' : shareText(sold + selfRented, phones)),
    bar,
  );
}

function balanceTile(accounts: readonly FleetAccount[], now: number, calendar: Calendar): HTMLElement {
  const purses = sumBalances(accounts);
  const values = purses.map(({ currency, availableCents }) =>
    element('span', { class: 'tile-value' }, moneyText(availableCents, currency)),
  );
  const pending = purses.flatMap(({ currency, pendingCents }) =>
    pendingCents === undefined ? [] : [moneyText(pendingCents, currency)],
  );
  const note = pending.length === 0 ? '' : `${pending.join(', ')} pending`;
  return element(
    'div',
    { class: 'tile' },
    element('span', { class: 'tile-title' }, 'Available balance'),
    ...(values.length === 0 ? [element('span', { class: 'tile-value' }, '–')] : values),
    element(
      'span',
      { class: 'tile-note' },
      values.length === 0 ? 'not known now' : `${note}${heldText(accounts, now, calendar)}`,
    ),
  );
}

/** Says of a balance that is not fresh of when it is. */
function heldText(accounts: readonly FleetAccount[], now: number, calendar: Calendar): string {
  const oldest = accounts
    .filter(({ balance, readings }) => balance !== undefined && readings.balance.state === 'held')
    .map(({ readings }) => parseInstant(readings.balance.lastSuccessAt) ?? now)
    .toSorted((one, other) => one - other)[0];
  return oldest === undefined ? '' : `, as of ${calendar.brief(oldest, now)}`;
}
