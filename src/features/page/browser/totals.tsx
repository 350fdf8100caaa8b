import { parseTime } from '../../../fleet/freshness.ts';
import { sumBalances, sumTotals } from '../../../fleet/phones.ts';
import { moneyText, numberText, outOfServiceText, RENTAL_TONES, shareText } from '../../../fleet/words.ts';
import type { Shown } from './parts.tsx';
import { linkTo } from './view.ts';
import { CELLS, STATE_TITLES, WORDS } from './words.ts';

/** The numbers of phones, and the balance. */
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
    <section aria-labelledby="totals-heading">
      <h2 id="totals-heading" class="hidden">
        Totals
      </h2>
      <div id="totals" class="tiles">
        {tile('online', online, `${WORDS.ofPhones(phones)}${scope} · ${others}`)}
        {tile('sold', sold)}
        {tile('self_rented', selfRented)}
        {tile('idle', idle)}
        <div class="tile">
          <span class="small">Occupancy</span>
          <strong class="tile-value">{known === 0 ? '–' : shareText(sold + selfRented, phones)}</strong>
          <span class="bar" aria-hidden="true">
            <span data-cell="sold" style={{ flexGrow: sold }} />
            <span data-cell="self_rented" style={{ flexGrow: selfRented }} />
            <span data-cell="idle" style={{ flexGrow: phones - sold - selfRented }} />
          </span>
        </div>
        <BalanceTile shown={shown} />
      </div>
    </section>
  );
}

function BalanceTile({ shown }: { readonly shown: Shown }) {
  const { now, format, fleet } = shown;
  const balances = sumBalances(fleet.accounts);
  const stale = fleet.accounts
    .filter(({ balance, readings }) => balance !== undefined && readings.balance.state !== 'fresh')
    .map(({ readings }) => parseTime(readings.balance.lastSuccessAt) ?? now);
  const age = stale.length === 0 ? '' : ` at ${format.brief(Math.min(...stale), now)}`;
  const pending = balances.flatMap(({ currency, pendingCents }) =>
    pendingCents === undefined ? [] : [moneyText(pendingCents, currency)],
  );
  const note = pending.length === 0 ? '' : `${pending.join(', ')} pending`;
  return (
    <div class="tile">
      <span class="small">{WORDS.balance}</span>
      {balances.length === 0 && <strong class="tile-value">–</strong>}
      {balances.map(({ currency, availableCents }) => (
        <strong key={currency} class="tile-value">
          {moneyText(availableCents, currency)}
        </strong>
      ))}
      <span class="small">{balances.length === 0 ? WORDS.noData : `${note}${age}`}</span>
    </div>
  );
}
