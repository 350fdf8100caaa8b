import { dateAt, dayText } from '../../../base/time-zone.ts';
import { parseTime } from '../../../fleet/freshness.ts';
import { balancesText, type CurrencyBalance, sumBalances } from '../../../fleet/money.ts';
import { isMutedOffline, sumTotals } from '../../../fleet/phones.ts';
import {
  changeText,
  moneyText,
  numberText,
  outOfServiceText,
  RENTAL_TONES,
  shareText,
} from '../../../fleet/words.ts';
import { say } from '../../../text/say.ts';
import type { Shown } from './parts.tsx';
import { linkTo, type StateFilter } from './view.ts';

/** The numbers of phones, and the money. */
export function Totals({ shown }: { readonly shown: Shown }) {
  const { accounts } = shown.fleet;
  const totals = sumTotals(accounts);
  const { phones, online, offline, sold, soldOffline, selfRented, idle, accounts: known } = totals;
  const mutedOffline = shown.phones.entries.filter(({ phone }) => isMutedOffline(phone)).length;
  const scope = known < accounts.length ? ` ${say('page-of-accounts', { known, all: accounts.length })}` : '';
  const others = [
    say('page-count-offline', { count: offline }),
    ...outOfServiceText(totals),
    ...(mutedOffline === 0 ? [] : [say('page-card-muted-offline', { count: mutedOffline })]),
  ].join(', ');
  const soldNote = soldOffline === 0 ? '' : ` · ${say('page-count-offline', { count: soldOffline })}`;
  const tile = (show: StateFilter, value: number, note = shareText(value, phones)) => (
    <a class="tile" href={linkTo({ show })} data-tone={RENTAL_TONES[show]}>
      <span class="small">{say(`filter-${show}`)}</span>
      <strong class="tile-value">{known === 0 ? '–' : numberText(value)}</strong>
      <span class="small">{known === 0 ? say('page-no-data') : note}</span>
    </a>
  );
  return (
    <section id="totals" aria-labelledby="totals-heading">
      <h2 id="totals-heading" class="hidden">
        {say('page-totals')}
      </h2>
      <div class="tiles">
        <Money shown={shown} />
        {tile('online', online, `${say('page-of-phones', { count: phones })}${scope} · ${others}`)}
        {tile('sold', sold, shareText(sold, phones) + soldNote)}
        {selfRented > 0 && tile('self_rented', selfRented)}
        {tile('idle', idle)}
      </div>
    </section>
  );
}

/** The balance, its observed changes, and the pending amount. The month is one tap away. */
function Money({ shown }: { readonly shown: Shown }) {
  const { now, time, fleet, zone } = shown;
  const balances = sumBalances(fleet);
  const stale = fleet.accounts
    .filter(({ balance, readings }) => balance !== undefined && readings.balance.state !== 'fresh')
    .map(({ readings }) => parseTime(readings.balance.lastSuccessAt) ?? now);
  const dateOf = (instant: number): string => dateAt(zone, instant);
  const isUnnamed = balances.some(({ currency }) => currency === undefined);
  return (
    <a class="tile money" href="#month">
      <span class="small">{say('page-balance')}</span>
      {balances.length === 0 && <strong class="tile-value">–</strong>}
      {balances.map((balance) => (
        <span key={balance.currency}>
          <strong class="tile-value">{moneyText(balance.availableCents, balance.currency)}</strong>{' '}
          {balancesText(fleet, balance.currency) !== '' && (
            <bdi class="change small">{balancesText(fleet, balance.currency)}</bdi>
          )}
          {changesOf(balance, dateOf, dateOf(now)).map(({ text, isUp }) => (
            <span key={text} class="change" data-tone={isUp ? 'good' : undefined}>
              {text}
            </span>
          ))}
        </span>
      ))}
      <span class="small">
        {balances.length === 0 && say('page-no-data')}
        {balances.some(({ month }) => month !== undefined) && say('page-observed')}
        {stale.length > 0 && ` ${say('page-as-of', { time: time(Math.min(...stale)) })}`}
        {isUnnamed && ` ${say('page-set-currency')}`}
      </span>
    </a>
  );
}

/**
 * Lists the changes in a balance: what came in and went out today, what came in this month, and what is pending.
 *
 * @param dateOf returns the owner's date at an instant, such as 2026-11-01
 * @param date today's date, so that income since then is mentioned only once
 */
function changesOf(
  { currency, today, month, pendingCents = 0 }: CurrencyBalance,
  dateOf: (instant: number) => string,
  date: string,
): readonly { readonly text: string; readonly isUp?: boolean }[] {
  const since = dateOf(parseTime(month?.since) ?? 0);
  const income = changeText(month?.increaseCents ?? 0, currency);
  const inMonth = since.endsWith('-01')
    ? say('page-this-month', { amount: income })
    : say('page-since-day', { amount: income, day: dayText(since) });
  const { increaseCents = 0, decreaseCents = 0 } = today ?? {};
  const isUp = increaseCents > 0;
  const changes = [
    today && { text: say('page-today', { amount: changeText(increaseCents, currency) }), isUp },
    decreaseCents !== 0 && { text: say('page-out-today', { amount: changeText(-decreaseCents, currency) }) },
    month !== undefined && since !== date && { text: inMonth },
    pendingCents !== 0 && { text: say('page-pending', { amount: moneyText(pendingCents, currency) }) },
  ];
  return changes.flatMap((change) => change || []);
}
