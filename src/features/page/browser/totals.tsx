import { useMemo } from 'preact/hooks';
import { createTimeZone, dateAt, dayText } from '../../../base/time-zone.ts';
import { parseTime } from '../../../fleet/freshness.ts';
import { type CurrencyBalance, sumBalances, sumTotals } from '../../../fleet/phones.ts';
import {
  changeText,
  moneyText,
  numberText,
  outOfServiceText,
  RENTAL_TONES,
  shareText,
} from '../../../fleet/words.ts';
import type { Shown } from './parts.tsx';
import { linkTo } from './view.ts';
import { CELLS, STATE_TITLES, WORDS } from './words.ts';

/** The numbers of phones, and the money. */
export function Totals({ shown }: { readonly shown: Shown }) {
  const { accounts } = shown.fleet;
  const totals = sumTotals(accounts);
  const { phones, online, offline, sold, selfRented, idle, accounts: known } = totals;
  const scope = known < accounts.length ? ` (${known}/${accounts.length} accounts)` : '';
  const others = [`${numberText(offline)} ${CELLS.offline.title}`, ...outOfServiceText(totals)].join(', ');
  const tile = (show: keyof typeof STATE_TITLES, value: number, note = shareText(value, phones)) => (
    <a class="tile" href={linkTo({ show })} data-tone={RENTAL_TONES[show]}>
      <span class="small">{STATE_TITLES[show]}</span>
      <strong class="tile-value">{known === 0 ? '–' : numberText(value)}</strong>
      <span class="small">{known === 0 ? WORDS.noData : note}</span>
    </a>
  );
  return (
    <section id="totals" aria-labelledby="totals-heading">
      <h2 id="totals-heading" class="hidden">
        Totals
      </h2>
      <div class="tiles">
        <Money shown={shown} />
        {tile('online', online, `${WORDS.ofPhones(phones)}${scope} · ${others}`)}
        {tile('sold', sold)}
        {selfRented > 0 && tile('self_rented', selfRented)}
        {tile('idle', idle)}
      </div>
    </section>
  );
}

/** The balance, its observed changes, and what is pending. The month is one tap away. */
function Money({ shown }: { readonly shown: Shown }) {
  const { now, time, fleet } = shown;
  const balances = sumBalances(fleet);
  const stale = fleet.accounts
    .filter(({ balance, readings }) => balance !== undefined && readings.balance.state !== 'fresh')
    .map(({ readings }) => parseTime(readings.balance.lastSuccessAt) ?? now);
  const { timeZone } = fleet.exporter;
  const zone = useMemo(() => createTimeZone(timeZone), [timeZone]);
  const dateOf = (instant: number): string => dateAt(zone, instant);
  const isUnnamed = balances.some(({ currency }) => currency === undefined);
  return (
    <a class="tile money" href="#month">
      <span class="small">{WORDS.balance}</span>
      {balances.length === 0 && <strong class="tile-value">–</strong>}
      {balances.map((balance) => (
        <span key={balance.currency}>
          <strong class="tile-value">{moneyText(balance.availableCents, balance.currency)}</strong>{' '}
          {changesOf(balance, dateOf).map(({ text, isUp }) => (
            <span key={text} class="change" data-tone={isUp ? 'good' : undefined}>
              {text}
            </span>
          ))}
        </span>
      ))}
      <span class="small">
        {balances.length === 0 && WORDS.noData}
        {balances.some(({ month }) => month !== undefined) && WORDS.observed}
        {stale.length > 0 && ` ${WORDS.asOf(time(Math.min(...stale)))}`}
        {isUnnamed && ` ${WORDS.noCurrency}`}
      </span>
    </a>
  );
}

type Change = { readonly text: string; readonly isUp: boolean };

/**
 * Lists the changes of a balance: what came in and went out today, what came in this month, and what is pending.
 *
 * @param dateOf returns the date of an instant for the owner, such as 2026-11-01
 */
export function changesOf(
  { currency, today, month, pendingCents = 0 }: CurrencyBalance,
  dateOf: (instant: number) => string,
): readonly Change[] {
  const since = dateOf(parseTime(month?.since) ?? 0);
  const span = since.endsWith('-01') ? WORDS.thisMonth : WORDS.sinceDay(dayText(since));
  return [
    ...(today === undefined
      ? []
      : [{ text: WORDS.today(changeText(today.increaseCents, currency)), isUp: today.increaseCents > 0 }]),
    ...(today === undefined || today.decreaseCents === 0
      ? []
      : [{ text: WORDS.out(changeText(-today.decreaseCents, currency)), isUp: false }]),
    ...(month === undefined
      ? []
      : [{ text: `${changeText(month.increaseCents, currency)} ${span}`, isUp: false }]),
    ...(pendingCents === 0 ? [] : [{ text: WORDS.pending(moneyText(pendingCents, currency)), isUp: false }]),
  ];
}
