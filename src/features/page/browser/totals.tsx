import type { FleetAccount } from '../../../fleet/document.ts';
import { parseTime } from '../../../fleet/freshness.ts';
import { sumBalances, sumTotals } from '../../../fleet/phones.ts';
import { moneyText, numberText, RENTAL_TONES, shareText, workText } from '../../../fleet/words.ts';
import type { Shown } from './parts.tsx';
import { type Filter, linkTo } from './view.ts';

/** The numbers of phones, and the balance. */
export function Totals({ shown }: { readonly shown: Shown }) {
  const { accounts } = shown.fleet;
  const { phones, online, sold, selfRented, idle, workedOn, accounts: known } = sumTotals(accounts);
  const scope = known < accounts.length ? ` in ${known} of ${accounts.length} accounts` : '';
  const work = workText(workedOn).map((text) => `, ${text}`);
  const tile = (title: string, value: number, show: Filter, note = shareText(value, phones)) => (
    <a class="tile" href={linkTo({ show })} data-tone={RENTAL_TONES[show]}>
      <span class="small">{title}</span>
      <strong class="tile-value">{known === 0 ? '–' : numberText(value)}</strong>
      <span class="small">{known === 0 ? 'not known now' : note}</span>
    </a>
  );
  return (
    <section aria-labelledby="totals-heading">
      <h2 id="totals-heading" class="hidden">
        Totals
      </h2>
      <div id="totals" class="tiles">
        {tile('Online', online, 'online', `of ${numberText(phones)} phones${scope}${work}`)}
        {tile('Sold', sold, 'sold')}
        {tile('Self-rented', selfRented, 'self_rented')}
        {tile('Idle', idle, 'idle')}
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
  const { accounts } = shown.fleet;
  const balances = sumBalances(accounts);
  const pending = balances.flatMap(({ currency, pendingCents }) =>
    pendingCents === undefined ? [] : [moneyText(pendingCents, currency)],
  );
  const note = pending.length === 0 ? '' : `${pending.join(', ')} pending`;
  return (
    <div class="tile">
      <span class="small">Available balance</span>
      {balances.length === 0 && <strong class="tile-value">–</strong>}
      {balances.map(({ currency, availableCents }) => (
        <strong key={currency} class="tile-value">
          {moneyText(availableCents, currency)}
        </strong>
      ))}
      <span class="small">
        {balances.length === 0 ? 'not known now' : `${note}${staleText(accounts, shown)}`}
      </span>
    </div>
  );
}

/** Returns the instant of the oldest balance that is not fresh as text; empty if all are. */
function staleText(accounts: readonly FleetAccount[], { now, format }: Shown): string {
  const held = accounts
    .filter(({ balance, readings }) => balance !== undefined && readings.balance.state !== 'fresh')
    .map(({ readings }) => parseTime(readings.balance.lastSuccessAt) ?? now);
  return held.length === 0 ? '' : `, as of ${format.brief(Math.min(...held), now)}`;
}
